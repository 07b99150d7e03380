-- Every interpreted script is run by this function. It takes from the script what would make two runs of it differ (what
-- is shared with the process, or shows where in memory a value lies), and reports errors as real Redis does. It is put on
-- the script's own first line, so that line numbers stay right; hence no comment may share a line with code.
return (function(script, sha)
-- What a script does to these names must not break what is below.
  local type, pairs, ipairs, rawget, unpack, select, error = type, pairs, ipairs, rawget, unpack, select, error
  print, dofile, loadfile, require, module, package, newproxy, _printregs = nil
  collectgarbage = function() return 0 end

  local seed = 20160208
  math.randomseed = function(x) seed = x % 2147483647 end
  math.random = function(m, n)
    seed = (seed * 16807 + 11) % 2147483647
    local r = seed / 2147483647
    if not m then return r end
    if not n then m, n = 1, m end
    return m + math.floor(r * (n - m + 1))
  end

  local show, format = tostring, string.format
  local function text(v)
    if type(v) == 'string' then return v end
    return (string.gsub(show(v), ': 0x%x+$', ': 0x0'))
  end
  tostring = text
  string.format = function(...)
    local n, words = select('#', ...), {...}
    for i = 1, n do
      if type(words[i]) == 'table' or type(words[i]) == 'function' then words[i] = text(words[i]) end
    end
    return format(unpack(words, 1, n))
  end

-- Go's maps have no order, and a Lua table remembers in which order its fields came.
  local decode = cjson.decode
  local function ordered(v)
    if type(v) ~= 'table' or #v > 0 then return v end
    local names, o = {}, {}
    for k in pairs(v) do names[#names + 1] = k end
    table.sort(names)
    for _, k in ipairs(names) do o[k] = ordered(v[k]) end
    return o
  end
  cjson.decode = function(...)
    local v, err = decode(...)
    if err then return v, err end
    return ordered(v)
  end

-- An error of a command is a table in real Redis, unless the script catches it. It keeps its first word, by which
-- clients know it.
  local call = redis.pcall
  redis.call = function(...)
    local reply = call(...)
    if type(reply) == 'table' and reply.err then error(reply, 0) end
    return reply
  end

-- A reply is made of what Redis has a form for, and is not endless.
  local function plain(v, depth)
    if type(v) == 'number' then
      if v > -2^63 and v < 2^63 then return v end
      return -2^63
    end
    if type(v) ~= 'table' then
      return (type(v) == 'string' or v == true) and v
    end
    if type(rawget(v, 'err')) == 'string' then return {err = rawget(v, 'err')} end
    if type(rawget(v, 'ok')) == 'string' then return {ok = rawget(v, 'ok')} end
    if depth > 50 then return {err = 'ERR reached lua stack limit'} end
    local list, i = {}, 1
    while rawget(v, i) ~= nil do
      list[i] = plain(rawget(v, i), depth + 1)
      i = i + 1
    end
    return list
  end

  local try = pcall
  local function caught(ok, e, ...)
    if not ok and type(e) == 'table' and e.err then e = e.err end
    return ok, e, ...
  end
  pcall = function(...) return caught(try(...)) end

  local ok, reply = try(script)
  if ok then return plain(reply, 0) end
  local why = type(reply) == 'table' and reply.err
  if not why then
    why = string.gsub(text(reply), '^:%d+: Script', 'user_script: Script')
    why = 'ERR ' .. string.gsub(why, '^:', 'user_script:')
  end
  return {err = why .. ' script: ' .. sha .. ', on @user_script.'}
end)(function(...)
