-- This is run once in each machine, before any script. It takes away what would make two runs of a script differ: what is shared
-- with the process, or shows where in memory a value lies. What it returns is called before each script.
local type, pairs, ipairs, error, unpack, select, try = type, pairs, ipairs, error, unpack, select, pcall
local gsub, format, show, sort, floor, decode = string.gsub, string.format, tostring, table.sort, math.floor, cjson.decode
print, dofile, loadfile, require, module, package, newproxy, _printregs, debug = nil
collectgarbage = function() return 0 end

local seed
math.randomseed = function(x) seed = x % 2147483647 end
math.random = function(m, n)
  seed = (seed * 16807 + 11) % 2147483647
  local r = seed / 2147483647
  if not m then return r end
  if not n then m, n = 1, m end
  return m + floor(r * (n - m + 1))
end

local function text(v)
  if type(v) == 'string' then return v end
  return (gsub(show(v), ': 0x%x+$', ': 0x0'))
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
local function ordered(v)
  if type(v) ~= 'table' or #v > 0 then return v end
  local names, o = {}, {}
  for k in pairs(v) do names[#names + 1] = k end
  sort(names)
  for _, k in ipairs(names) do o[k] = ordered(v[k]) end
  return o
end
cjson.decode = function(...)
  local v, err = decode(...)
  if err then return v, err end
  return ordered(v)
end

-- An error of a command is a table, as in real Redis, unless the script catches it.
local function caught(ok, e, ...)
  if not ok and type(e) == 'table' and e.err then e = e.err end
  return ok, e, ...
end
pcall = function(...) return caught(try(...)) end

return function() seed = 20160208 end
