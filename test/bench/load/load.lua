-- What wrk sends. Arguments: a JSON-free list, since wrk has no JSON:
--   get <file of paths> <User-Agent>
--   create <token, several separated by commas (plain only)> <plain|idempotent>
-- Every request is formatted once where it can be, so that wrk stays faster than the server.
local requests, next_request

local function read_paths(file)
  local paths = {}
  for line in io.lines(file) do paths[#paths + 1] = line end
  return paths
end

local function cycle()
  local index = 0
  return function()
    index = index % #requests + 1
    return requests[index]
  end
end

local BODY = '{"originalUrl":"https://example.com/' .. string.rep("p", 64) .. '"'

local function create(token, kind)
  local headers = { ["Content-Type"] = "application/json" }
  if kind == "plain" then
    requests = {}
    for each in token:gmatch("[^,]+") do
      headers["Authorization"] = "Bearer " .. each
      requests[#requests + 1] = wrk.format("POST", "/api/shorten", headers, BODY .. "}")
    end
    return cycle()
  end
  headers["Authorization"] = "Bearer " .. token
  local count = 0
  local run = string.format("%08x", math.random(0, 0x7fffffff))
  return function()
    count = count + 1
    headers["Idempotency-Key"] = string.format("%s-0000-4000-8000-%012x", run, count)
    return wrk.format("POST", "/api/shorten", headers, BODY .. "}")
  end
end

function init(args)
  math.randomseed(tonumber(args[1]))
  if args[2] == "create" then
    next_request = create(args[3], args[4])
    return
  end
  requests = {}
  local headers = { ["User-Agent"] = args[4] }
  for _, path in ipairs(read_paths(args[3])) do
    requests[#requests + 1] = wrk.format("GET", path, headers)
  end
  next_request = cycle()
end

function request()
  return next_request()
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"answers":%d,"microseconds":%d,"p99Microseconds":%d,"failures":%d,"errorStatuses":%d}\n',
    summary.requests, summary.duration, latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.timeout, errors.status))
end
