// The Internet of the fault tests: a web server, which redirects from /to/<address>, and a name server at many addresses, in a network of their own.
// A resolver asks that name server for others.
// Usage: node world.ts web | names <own address> <address for every name> | resolver <own address> <name server>
import { createSocket } from 'node:dgram'
import { createServer } from 'node:http'
import { AUTHORITATIVE_ANSWER, decode, encode, RECURSION_AVAILABLE } from 'dns-packet'

const [part, own = '', address = ''] = process.argv.slice(2)

if (part === 'web')
  createServer(({ url = '' }, response) => {
    const [, to = null] = /^\/to\/(.+)$/.exec(url) ?? []
    if (to !== null) response.writeHead(302, { location: decodeURIComponent(to) })
    response.end('well')
  }).listen(80, '0.0.0.0', () => console.log('ready'))
else if (part === 'names') {
  const socket = createSocket('udp4')
  socket.on('message', (query, { address: from, port: at }) => {
    const { id, questions = [] } = decode(query)
    const [question] = questions
    const answers = question?.type === 'A' ? [{ type: 'A', name: question.name, ttl: 1, data: address } as const] : []
    socket.send(encode({ type: 'response', id, flags: AUTHORITATIVE_ANSWER, questions, answers }), at, from)
  })
  // An answer has to come from the address that was asked.
  socket.bind(53, own, () => console.log('ready'))
} else if (part === 'resolver') resolveAt(own, address)
else throw new Error('web, names or resolver')

/** Passes questions on, and answers SERVFAIL to those that its name server does not answer in time (RFC 2308 7.1). */
function resolveAt(at: string, nameServer: string): void {
  const giveUpMs = 1_500
  const serverFailure = 2
  const near = createSocket('udp4')
  near.on('message', (query, { address: from, port }) => {
    const far = createSocket('udp4')
    const answer = (bytes: Uint8Array): void => {
      clearTimeout(timer)
      far.close()
      near.send(bytes, port, from)
    }
    const timer = setTimeout(() => {
      const { id, questions = [] } = decode(query)
      answer(encode({ type: 'response', id, flags: RECURSION_AVAILABLE | serverFailure, questions }))
    }, giveUpMs)
    far.once('message', answer)
    // A link that is down refuses at once; the answer is the same.
    far.on('error', () => {})
    far.send(query, 53, nameServer, () => {})
  })
  near.bind(53, at, () => console.log('ready'))
}
