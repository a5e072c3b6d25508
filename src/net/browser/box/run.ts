// The program in the box: it visits one page with Chromium, says what it saw and ends. Beside it the box has Chromium,
// playwright-core, and one socket through which the browser reaches the outside.
import { connect, createServer, type Server, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import type { PageOrder, PageSight } from '#net/browser/page-words.ts'
import { visit } from './visit.ts'

const [, , executablePath = '', waySocket = ''] = process.argv
const order: PageOrder = JSON.parse(await text(process.stdin))
const way = await openDoor(waySocket)
const sight = await visit(order, { executablePath, proxyPort: portOf(way) })
await write(sight)
// Whatever still runs ends with the first process of the box.
process.exit(0)

/** Chromium can ask a proxy by TCP alone. */
function openDoor(socketPath: string): Promise<Server> {
  const door = createServer((inside) => {
    const outside = connect(socketPath)
    join(inside, outside)
    join(outside, inside)
  })
  return new Promise((resolve, reject) => {
    door.once('error', reject)
    door.listen(0, '127.0.0.1', () => resolve(door))
  })
}

function join(from: Socket, to: Socket): void {
  from.pipe(to)
  from.on('error', () => to.destroy())
  from.on('close', () => to.destroy())
}

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The door has no port.')
  return address.port
}

function write(found: PageSight): Promise<void> {
  return new Promise((resolve) => void process.stdout.write(JSON.stringify(found), () => resolve()))
}
