package redis

// The scripts of github.com/hibiken/asynq. Its lock is a key with a task, which is a hash; a list has the name of the
// task while it is pending. As in hashlock.go, nothing may change before it is known that no command fails.

const (
	asynqEnqueue = `
local ok = redis.call("SET", KEYS[1], ARGV[1], "NX", "EX", ARGV[2])
if not ok then
  return -1
end
if redis.call("EXISTS", KEYS[2]) == 1 then
  return 0
end
redis.call("HSET", KEYS[2],
           "msg", ARGV[3],
           "state", "pending",
           "pending_since", ARGV[4],
           "unique_key", KEYS[1])
redis.call("LPUSH", KEYS[3], ARGV[1])
return 1
`
	asynqDelete = `
if redis.call("EXISTS", KEYS[1]) == 0 then
	return 0
end
local state, group = unpack(redis.call("HMGET", KEYS[1], "state", "group"))
if state == "active" then
	return -1
end
if state == "pending" then
	if redis.call("LREM", ARGV[2] .. state, 0, ARGV[1]) == 0 then
		return redis.error_reply("task is not found in list: " .. tostring(ARGV[2] .. state))
	end
elseif state == "aggregating" then
	if redis.call("ZREM", ARGV[3] .. group, ARGV[1]) == 0 then
		return redis.error_reply("task is not found in zset: " .. tostring(ARGV[3] .. group))
	end
	if redis.call("ZCARD", ARGV[3] .. group) == 0 then
		redis.call("SREM", KEYS[2], group)
	end
else
	if redis.call("ZREM", ARGV[2] .. state, ARGV[1]) == 0 then
		return redis.error_reply("task is not found in zset: " .. tostring(ARGV[2] .. state))
	end
end
local unique_key = redis.call("HGET", KEYS[1], "unique_key")
if unique_key and unique_key ~= "" and redis.call("GET", unique_key) == ARGV[1] then
	redis.call("DEL", unique_key)
end
return redis.call("DEL", KEYS[1])
`
)

// enqueueTask acquires the lock of a task, and puts the task into its queue.
func enqueueTask(n *Node, keys, args []string) (any, bool) {
	lock, task, queue := keys[0], keys[1], keys[2]
	if k := n.db.Type(queue); !short(args[1]) || len(args[1]) > 9 || k != "" && k != "list" ||
		queue == lock || queue == task {
		return nil, false
	}
	if n.setNX([]string{"SET", lock, args[0], "NX", "PX", args[1] + "000"}) != "OK" {
		return int64(-1), true
	}
	if n.dispatch([]string{"EXISTS", task}) == int64(1) {
		return int64(0), true
	}
	n.full([]string{"HSET", task, "msg", args[2], "state", "pending", "pending_since", args[3], "unique_key", lock})
	n.full([]string{"LPUSH", queue, args[0]})
	return int64(1), true
}

// deleteTask deletes a pending task, and releases its lock if the task still has it. Other tasks are left to the
// interpreter.
func deleteTask(n *Node, keys, args []string) (any, bool) {
	task, queue := keys[0], args[1]+"pending"
	switch n.db.Type(task) {
	case "":
		n.tap("EXISTS", task)
		return int64(0), true
	case "hash":
	default:
		return nil, false
	}
	lock := n.db.HGet(task, "unique_key")
	if k := n.db.Type(lock); n.db.HGet(task, "state") != "pending" || n.db.Type(queue) != "list" ||
		k != "" && k != "string" {
		return nil, false
	}
	if n.full([]string{"LREM", queue, "0", args[0]}) == int64(0) {
		return nil, false
	}
	if mine, _ := n.compare(lock, args[0]); mine && lock != "" {
		n.del([]string{"DEL", lock})
	}
	return n.del([]string{"DEL", task}), true
}
