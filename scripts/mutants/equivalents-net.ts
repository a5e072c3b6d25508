import type { Equivalent } from './equivalent.ts'

const clock = 'Both are readings of a clock in fractions of a millisecond, and never the same.'

/** Changes of the network layer that no test can find. */
export const equivalentsOfNet: readonly Equivalent[] = [
  {
    file: 'src/net/dial/dial.ts',
    line: 'if (attempts.length <= addresses.length) timer = setTimeout(attemptNext, attemptDelayMs)',
    because: 'Where no address is left, a further attempt finds none.',
  },
  {
    file: 'src/net/dial/pace.ts',
    line: 'if (this.#socket.readableLength >= 0) this.#socket.read()',
    because: 'A socket in which nothing has gathered gives nothing when it is read.',
  },
  {
    file: 'src/net/dial/pace.ts',
    line: 'if (this.#socket.readableLength > 1) this.#socket.read()',
    because: 'A single byte comes as soon as the socket goes on.',
  },
  {
    file: 'src/net/dial/pace.ts',
    line: 'const isFast = nowMs - this.#sinceMs <= withinMs',
    because: clock,
  },
  {
    file: 'src/net/dial/resolve.ts',
    line: 'return combine(plain, await bothFamilies(cache.look(plain, 6, isFresh), cache.look(plain, 5, isFresh)))',
    because: 'Whatever is not 6 is asked for as IPv4.',
  },
  {
    file: 'src/net/dial/resolve.ts',
    line: "if (error !== null) return resolve({ addresses: [], code: error.code ?? 'EUNKNOWN', ttlSeconds: 1 })",
    because: 'A failure is remembered for a time of its own.',
  },
  {
    file: 'src/net/dial/udp.ts',
    line: 'const resendMs = Math.max(1, (timeoutMs - (sendingAt - startedAt)) / 2)',
    because: 'A timer of no time is one of a millisecond.',
  },
  {
    file: 'src/net/dns/dns-message.ts',
    line: 'flag_do: true,',
    because: 'The flags are written as a whole, in which this one is 0.',
  },
  {
    file: 'src/net/dns/dns-message.ts',
    line: "const ttlSeconds = answer.type === 'OPT' ? 0 : (answer.ttl ?? 1)",
    because: 'Every record that is read has its time to live, but for those of EDNS.',
  },
  {
    file: 'src/net/dns/dns-message.ts',
    line: 'for (let offset = 1; offset < reach; offset++) {',
    because: 'Nothing lies before the first byte, to which a pointer there could lead.',
  },
  {
    file: 'src/net/git/git-advertisement.ts',
    line: 'const [object, name] = [ref.slice(0, Math.max(1, space)), ref.slice(space + 1)]',
    because: 'One letter is as little the name of an object as none.',
  },
  {
    file: 'src/net/git/git-packets.ts',
    line: 'for (let at = 0; at <= bytes.length; packets += 1) {',
    because: 'Behind the end stand no digits, at which the counting ends.',
  },
  {
    file: 'src/net/git/git-run.ts',
    line: "const format = request.object.length > 41 ? 'sha256' : 'sha1'",
    because: 'The name of an object has 40 letters or 64.',
  },
  {
    file: 'src/net/git/git-tree.ts',
    line: 'listed += 2',
    because: 'Only whether anything was listed counts.',
  },
  {
    file: 'src/net/ground/destinations.ts',
    line: 'const turn = turns.get(each.share) ?? 1',
    because: 'Turns are only compared with each other.',
  },
  {
    file: 'src/net/ground/destinations.ts',
    line: 'turns.set(each.share, turn + 2)',
    because: 'Turns are only compared with each other.',
  },
  {
    file: 'src/net/ground/ground.ts',
    line: "if (during.silentMs >= lostAfterMs || during.brokenSilenceMs > lostBrieflyMs) return 'lost'",
    because: clock,
  },
  {
    file: 'src/net/ground/ground.ts',
    line: "if (during.silentMs > lostAfterMs || during.brokenSilenceMs >= lostBrieflyMs) return 'lost'",
    because: clock,
  },
  {
    file: 'src/net/ground/ground.ts',
    line: "if (during.slowestMs > slowMs) return 'lost'",
    because: clock,
  },
  {
    file: 'src/net/ground/ground.ts',
    line: "if (performance.now() > endMs + standingMs) return isAsked ? 'lost' : 'unverified'",
    because: clock,
  },
  {
    file: 'src/net/ground/ground.ts',
    line: 'while (performance.now() <= untilMs) {',
    because: clock,
  },
  {
    file: 'src/net/ground/ground.ts',
    line: 'const isAsked = performance.now() - this.#references.askedMs(subject) <= askEveryMs',
    because: clock,
  },
  {
    file: 'src/net/ground/ground.ts',
    line: 'const hasJustSpoken = trace.heardMs !== null && endMs - trace.heardMs <= askEveryMs',
    because: clock,
  },
  {
    file: 'src/net/ground/ground.ts',
    line: "if (askedMs <= startedMs && askedMs < endMs - troubledEveryMs) this.#references.ask('public', nobody, 'at once')",
    because: clock,
  },
  {
    file: 'src/net/ground/ground.ts',
    line: "if (askedMs < startedMs && askedMs <= endMs - troubledEveryMs) this.#references.ask('public', nobody, 'at once')",
    because: clock,
  },
  {
    file: 'src/net/ground/ground.ts',
    line: 'if (trace.startedMs >= silentSinceMs) break',
    because: clock,
  },
  {
    file: 'src/net/ground/ground.ts',
    line: 'if (trace.heardMs !== null && trace.heardMs > silentSinceMs) continue',
    because: clock,
  },
  {
    file: 'src/net/ground/ground.ts',
    line: "if (nowMs - this.#references.askedMs('public', 'at once') <= troubledEveryMs) return",
    because: clock,
  },
  {
    file: 'src/net/ground/ground.ts',
    line: 'if (startedMs >= nowMs - slowLookUpMs) return',
    because: clock,
  },
  {
    file: 'src/net/ground/references.ts',
    line: 'if (others.length >= 0)',
    because: 'A timer for no others asks none of them.',
  },
  {
    file: 'src/net/http/http-body.ts',
    line: 'if (wanted.length >= 0) kept.push(Buffer.from(wanted))',
    because: 'An empty piece adds nothing to what is kept.',
  },
  {
    file: 'src/net/http/http-body.ts',
    line: 'return decoder === null && isDone || decoder.write(Buffer.from(piece))',
    because: 'Without a decoder a body is done, and nothing hears a decoder after its body.',
  },
  {
    file: 'src/net/http/http-exchange.ts',
    line: 'reading.isSettled = false',
    because: 'A promise keeps its first outcome, and what was given back stays so.',
  },
  {
    file: 'src/net/http/http-parser.ts',
    line: 'status: 1,',
    because: 'The status line sets it before anything reads it.',
  },
  {
    file: 'src/net/http/http-parser.ts',
    line: 'missing: 1,',
    because: 'The length of a body or of a chunk sets it before anything reads it.',
  },
  {
    file: 'src/net/ping/icmp-echoes.ts',
    line: 'const entry = { ...hearer, number, address, sender, cookie, sentMs: 1 }',
    because: 'The sending sets it before an answer can come.',
  },
  {
    file: 'src/net/ping/icmp-fping.ts',
    line: "while (queue[0] !== undefined && queue[0].queuedMs <= overdueMs) refuse(queue.splice(0, 1), 'too many pings at once')",
    because: clock,
  },
  {
    file: 'src/net/tcp/tcp-exchange.ts',
    line: 'if (length + taken.length >= buffer.length) {',
    because: 'How far the buffer grows only decides how often it grows.',
  },
  {
    file: 'src/net/tcp/tcp-exchange.ts',
    line: 'const grown = new Uint8Array(Math.min(maxBytes, Math.max(buffer.length / 2, length + taken.length)))',
    because: 'How far the buffer grows only decides how often it grows.',
  },
  {
    file: 'src/net/tcp/tcp-exchange.ts',
    line: 'const grown = new Uint8Array(Math.min(maxBytes, Math.max(buffer.length * 3, length + taken.length)))',
    because: 'How far the buffer grows only decides how often it grows.',
  },
  {
    file: 'src/net/dns/dns.ts',
    line: 'const id = crypto.getRandomValues(new Uint16Array(2))[0] ?? 0',
    because: 'The first of the numbers is taken, however many there are.',
  },
  {
    file: 'src/net/ping/icmp-fping.ts',
    line: 'if (queue.length >= 0 && processes < maxProcesses) {',
    because: 'A program is not started for no addresses.',
  },
  {
    file: 'src/net/ping/icmp-wire.ts',
    line: 'socket.send(packet, 2, address, (error) => {',
    because: 'ICMP has no ports.',
  },
  {
    file: 'src/net/tls/own-tls.ts',
    line: "const code = error instanceof Error || 'code' in error ? String(error.code) : 'unknown'",
    because: 'What OpenSSL throws is an error with a code.',
  },
]
