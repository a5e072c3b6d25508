// What a server's methods of AMQP 0-9-1 tell; each is null where its body is not whole.

export type Start = { properties: ReadonlyMap<string, string>; mechanisms: readonly string[] }

/** Connection.Start: of the properties of the server, its texts. */
export function readStart(body: Buffer): Start | null {
  const fields = new Fields(body)
  fields.number(2)
  const properties = readTexts(fields.long())
  const mechanisms = fields.long().toString('utf8').split(' ')
  return fields.isWhole && properties !== null ? { properties, mechanisms } : null
}

/** Of a table, the fields that are texts, by their names. Tables and lists within it are passed over. */
export function readTexts(bytes: Buffer): ReadonlyMap<string, string> | null {
  const fields = new Fields(bytes)
  const texts = new Map<string, string>()
  while (fields.isWhole && !fields.isOver) {
    const name = fields.short().toString('utf8')
    const type = String.fromCharCode(fields.number(1))
    const bytesOfType = fixedBytes.get(type)
    if (bytesOfType !== undefined) fields.take(bytesOfType)
    else if (!measuredTypes.has(type)) return null
    else if (type === 'S') texts.set(name, fields.long().toString('utf8'))
    else fields.long()
  }
  return fields.isWhole ? texts : null
}

/** Types of fields by the number of their bytes, as RabbitMQ writes them (its "AMQP 0-9-1 Errata", 3). */
const fixedBytes: ReadonlyMap<string, number> = new Map([
  ['t', 1],
  ['b', 1],
  ['B', 1],
  ['s', 2],
  ['u', 2],
  ['I', 4],
  ['i', 4],
  ['l', 8],
  ['L', 8],
  ['f', 4],
  ['d', 8],
  ['D', 5],
  ['T', 8],
  ['V', 0],
])
/** Types that begin with the number of their bytes: texts, lists, tables and bytes. */
const measuredTypes: ReadonlySet<string> = new Set(['S', 'A', 'F', 'x'])

/** Connection.Tune; 0 means no limit. */
export function readTune(body: Buffer): { maxFrameBytes: number } | null {
  const fields = new Fields(body)
  fields.number(2)
  const tune = { maxFrameBytes: fields.number(4) }
  fields.number(2)
  return fields.isWhole ? tune : null
}

export type Closing = { code: number; text: string }

/** Connection.Close and Channel.Close. */
export function readClosing(body: Buffer): Closing | null {
  const fields = new Fields(body)
  const closing = { code: fields.number(2), text: fields.short().toString('utf8') }
  return fields.isWhole ? closing : null
}

/** Connection.Blocked. */
export function readReason(body: Buffer): string | null {
  const fields = new Fields(body)
  const reason = fields.short().toString('utf8')
  return fields.isWhole ? reason : null
}

export type QueueCounts = { messages: number; consumers: number }

/** Queue.Declare-Ok: messages that are ready, and consumers. */
export function readQueue(body: Buffer): QueueCounts | null {
  const fields = new Fields(body)
  fields.short()
  const counts = { messages: fields.number(4), consumers: fields.number(4) }
  return fields.isWhole ? counts : null
}

/** Reads one field after the other. One that goes beyond the end is empty, or 0, and so are those after it. */
class Fields {
  isWhole = true
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get isOver(): boolean {
    return this.#at === this.#bytes.length
  }

  take(count: number): Buffer {
    const end = this.#at + count
    if (end > this.#bytes.length) this.isWhole = false
    if (!this.isWhole) return Buffer.alloc(0)
    const taken = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return taken
  }

  number(bytes: 1 | 2 | 4): number {
    const taken = this.take(bytes)
    return taken.length === 0 ? 0 : taken.readUIntBE(0, bytes)
  }

  short(): Buffer {
    return this.take(this.number(1))
  }

  long(): Buffer {
    return this.take(this.number(4))
  }
}
