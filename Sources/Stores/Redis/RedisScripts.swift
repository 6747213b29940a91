/// What a server does at once, in Lua. Each script uses the keys that it is given, all in one slot.
enum RedisScripts {
    /// Keeps a session unless it has ended, or a later generation is there. Keys: the session, its end. Arguments: generation, session,
    /// details, milliseconds, "1" if it must be there already, the client or nothing. Returns 1 if it is kept.
    static let save = """
        if redis.call('EXISTS',KEYS[2])==1 then return 0 end
        local g=redis.call('HGET',KEYS[1],'g')
        if not g and ARGV[5]=='1' then return 0 end
        if g and tonumber(g) and tonumber(g)>tonumber(ARGV[1]) then return 0 end
        redis.call('HSET',KEYS[1],'g',ARGV[1],'s',ARGV[2],'d',ARGV[3])
        if ARGV[6]~='' then redis.call('HSET',KEYS[1],'c',ARGV[6]) end
        redis.call('PEXPIRE',KEYS[1],ARGV[4])
        return 1
        """

    /// Replaces the details of a session that is there. Keys: the session. Arguments: details, milliseconds. Returns 1 if it was.
    static let touch = """
        if redis.call('EXISTS',KEYS[1])==0 then return 0 end
        redis.call('HSET',KEYS[1],'d',ARGV[1])
        redis.call('PEXPIRE',KEYS[1],ARGV[2])
        return 1
        """

    /// Records an end; never takes an earlier one back. Keys: the end. Arguments: the last time of issue that it means, milliseconds.
    /// Returns 1 if there was none before.
    static let end = """
        local v=redis.call('GET',KEYS[1])
        local t=redis.call('PTTL',KEYS[1])
        local u=ARGV[1]
        local p=tonumber(ARGV[2])
        if v and tonumber(v) and tonumber(v)>tonumber(u) then u=v end
        if t>p then p=t end
        redis.call('SET',KEYS[1],u,'PX',string.format('%d',p))
        return v and 0 or 1
        """

    /// Adds to a set that lives at least so long. Keys: the set. Arguments: the member, milliseconds.
    static let add = """
        redis.call('SADD',KEYS[1],ARGV[1])
        if redis.call('PTTL',KEYS[1])<tonumber(ARGV[2]) then redis.call('PEXPIRE',KEYS[1],ARGV[2]) end
        return redis.call('SCARD',KEYS[1])
        """

    /// Takes the right to refresh, or says why not. Keys: the refresh. Arguments: the fence, milliseconds of an attempt, milliseconds for which
    /// the count of outages is kept.
    ///
    /// Returns `s` (start), `r` and milliseconds (another is at it), `o` and milliseconds (rest after an outage), `d` and the sealed result,
    /// or `e` (ended).
    static let lock = """
        local t=redis.call('TIME')
        local now=t[1]*1000+math.floor(t[2]/1000)
        local v=redis.call('HMGET',KEYS[1],'st','u','v','n')
        if v[1]=='d' then return {'d',v[3]} end
        if v[1]=='e' then return {'e'} end
        if v[1] and tonumber(v[2]) and now<tonumber(v[2]) then return {v[1],string.format('%d',v[2]-now)} end
        redis.call('HSET',KEYS[1],'st','r','f',ARGV[1],'u',string.format('%d',now+ARGV[2]),'n',v[4] or '0')
        redis.call('PEXPIRE',KEYS[1],string.format('%d',ARGV[2]+ARGV[3]))
        return {'s'}
        """

    /// Reports the outcome of a refresh. A success counts always; a failure only from the current holder of the fence, and never after a success.
    /// Keys: the refresh. Arguments: `d`, `e` or `o`; the fence; the sealed result; milliseconds of memory; the first delay; the longest delay.
    static let unlock = """
        if ARGV[1]=='d' then
          redis.call('HSET',KEYS[1],'st','d','v',ARGV[3])
          redis.call('PEXPIRE',KEYS[1],ARGV[4])
          return 1
        end
        local v=redis.call('HMGET',KEYS[1],'st','f','n')
        if v[1]=='d' or v[1]=='e' then return 0 end
        if v[1] and v[2]~=ARGV[2] then return 0 end
        if ARGV[1]=='e' then
          redis.call('HSET',KEYS[1],'st','e')
          redis.call('PEXPIRE',KEYS[1],ARGV[4])
          return 1
        end
        local t=redis.call('TIME')
        local n=(tonumber(v[3] or '0') or 0)+1
        local delay=math.min(tonumber(ARGV[6]),ARGV[5]*2^math.min(n-1,20))
        redis.call('HSET',KEYS[1],'st','o','n',string.format('%d',n),'u',string.format('%d',t[1]*1000+math.floor(t[2]/1000)+delay))
        redis.call('PEXPIRE',KEYS[1],string.format('%d',delay+ARGV[6]))
        return 1
        """
}
