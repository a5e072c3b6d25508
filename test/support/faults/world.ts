// The Internet of the fault tests: a web server, which redirects from /to/<address>, and a name server at many addresses, in a network of their own.
// Usage: node world.ts web | names <address of its own> <address for every name>
import { createSocket } from 'node:dgram'
import { createServer } from 'node:http'
import { AUTHORITATIVE_ANSWER, decode, encode } from 'dns-packet'

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
} else throw new Error('web or names')
