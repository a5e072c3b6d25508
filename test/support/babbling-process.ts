// Plays a process of probers that does not keep to what is agreed, for the tests of the one that starts it.
import { writeSync } from 'node:fs'
import { pipeNumber } from '#prober/process-orders.ts'

const head = Buffer.from(JSON.stringify({ type: 'threads', missing: 0, haveBegun: 'perhaps' }))
const prefix = Buffer.alloc(8)
prefix.writeUInt32BE(head.length, 0)
writeSync(pipeNumber, Buffer.concat([prefix, head]))
setInterval(() => {}, 1_000)
