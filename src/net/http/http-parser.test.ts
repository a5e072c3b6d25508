import assert from 'node:assert/strict'
import { request } from 'node:http'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { rawServer } from '../../../test/support/raw-server.ts'
import { createResponseParser, feed, finish, ResponseError, type ResponseParser } from './http-parser.ts'

type Parsed = { status: number | null; headers: Record<string, string>; body: string; problem: string | null }

/** Feeds the pieces and then the end of the connection. */
function parse(pieces: readonly Buffer[], method = 'GET'): Parsed {
  const parsed: Parsed = { status: null, headers: {}, body: '', problem: null }
  const parser = createResponseParser(method, {
    onHead: ({ status, headers }) => {
      parsed.status = status
      parsed.headers = { ...headers }
      return true
    },
    onBody: (piece) => {
      parsed.body += piece.toString('latin1')
      return true
    },
  })
  try {
    for (const piece of pieces) if (feed(parser, piece)) return parsed
    finish(parser)
  } catch (error) {
    if (!(error instanceof ResponseError)) throw error
    parsed.problem = `${error.code}: ${error.message}`
  }
  return parsed
}

function parseText(text: string, method = 'GET'): Parsed {
  return parse([Buffer.from(text, 'latin1')], method)
}

/** A parser of an answer of which all is wanted. */
function reading(): ResponseParser {
  return createResponseParser('GET', { onHead: () => true, onBody: () => true })
}

/** Cuts bytes at the given places. */
function split(bytes: Buffer, places: readonly number[]): Buffer[] {
  const cuts = [0, ...places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
  return cuts.slice(1).map((end, index) => bytes.subarray(cuts[index], end))
}

const ok = 'HTTP/1.1 200 OK\r\n'

/** Raw answers, and the reason where the parser deliberately differs from node:http. */
const answers: readonly { title: string; raw: string; method?: string; differs?: string }[] = [
  { title: 'counted body', raw: `${ok}Content-Length: 5\r\n\r\nhello` },
  { title: 'counted body of one byte', raw: `${ok}content-length: 1\r\n\r\nh` },
  { title: 'no body at all', raw: `${ok}content-length: 0\r\n\r\n` },
  { title: 'body until the end of the connection', raw: `${ok}\r\nhello` },
  {
    title: 'bytes after a counted body',
    raw: `${ok}content-length: 2\r\n\r\nhello`,
    differs: 'the answer was complete before them',
  },
  { title: 'counted body cut short', raw: `${ok}content-length: 10\r\n\r\nhello` },
  { title: 'chunked body', raw: `${ok}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n` },
  {
    title: 'chunks with extensions and trailers',
    raw: `${ok}transfer-encoding: chunked\r\n\r\n2;a=b\r\nhi\r\n3;x\r\nyou\r\n0\r\nx-sum: 1\r\n\r\n`,
  },
  { title: 'upper-case chunk sizes', raw: `${ok}Transfer-Encoding: Chunked\r\n\r\nA\r\n0123456789\r\n0\r\n\r\n` },
  {
    title: 'chunk sizes of two digits',
    raw: `${ok}transfer-encoding: chunked\r\n\r\n1a\r\nabcdefghijklmnopqrstuvwxyz\r\n0\r\n\r\n`,
  },
  { title: 'chunked body cut short', raw: `${ok}transfer-encoding: chunked\r\n\r\n5\r\nhel` },
  { title: 'chunked body without its last chunk', raw: `${ok}transfer-encoding: chunked\r\n\r\n5\r\nhello\r\n` },
  { title: 'chunk longer than its size', raw: `${ok}transfer-encoding: chunked\r\n\r\n3\r\nhello\r\n0\r\n\r\n` },
  { title: 'chunk size that is no number', raw: `${ok}transfer-encoding: chunked\r\n\r\nxyz\r\nhello\r\n0\r\n\r\n` },
  { title: 'negative chunk size', raw: `${ok}transfer-encoding: chunked\r\n\r\n-5\r\nhello\r\n0\r\n\r\n` },
  {
    title: 'padded chunk size',
    raw: `${ok}transfer-encoding: chunked\r\n\r\n5  \r\nhello\r\n0\r\n\r\n`,
    differs: 'known servers pad the size',
  },
  { title: 'other transfer coding', raw: `${ok}transfer-encoding: gzip\r\n\r\nhello` },
  {
    title: 'chunked as the last of two codings',
    raw: `${ok}transfer-encoding: gzip, chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n`,
  },
  {
    title: 'both length and chunked',
    raw: `${ok}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
  },
  { title: 'contradicting lengths', raw: `${ok}content-length: 5\r\ncontent-length: 6\r\n\r\nhello` },
  {
    title: 'the same length twice',
    raw: `${ok}content-length: 5\r\ncontent-length: 5\r\n\r\nhello`,
    differs: 'RFC 9112 6.3 allows it, and browsers show the page',
  },
  { title: 'negative length', raw: `${ok}content-length: -1\r\n\r\nhello` },
  { title: 'length with a sign', raw: `${ok}content-length: +5\r\n\r\nhello` },
  { title: 'length in hexadecimal', raw: `${ok}content-length: 0x5\r\n\r\nhello` },
  { title: 'empty length', raw: `${ok}content-length: \r\n\r\nhello` },
  { title: 'enormous length', raw: `${ok}content-length: 99999999999999999999\r\n\r\nhello` },
  { title: 'HEAD with a length', raw: `${ok}content-length: 5\r\n\r\n`, method: 'HEAD' },
  { title: 'HEAD with chunked', raw: `${ok}transfer-encoding: chunked\r\n\r\n`, method: 'HEAD' },
  { title: '204 with a length', raw: 'HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\n' },
  { title: '304 with a length', raw: 'HTTP/1.1 304 Not Modified\r\ncontent-length: 5\r\n\r\n' },
  { title: '100 before the answer', raw: `HTTP/1.1 100 Continue\r\n\r\n${ok}content-length: 2\r\n\r\nhi` },
  {
    title: '103 with headers before the answer',
    raw: `HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${ok}content-length: 2\r\n\r\nhi`,
  },
  { title: 'HTTP/1.0', raw: 'HTTP/1.0 200 OK\r\n\r\nhello' },
  { title: 'no reason phrase', raw: 'HTTP/1.1 200 \r\ncontent-length: 0\r\n\r\n' },
  { title: 'no blank before a missing reason', raw: 'HTTP/1.1 200\r\ncontent-length: 0\r\n\r\n' },
  { title: 'foreign letters in the reason', raw: 'HTTP/1.1 200 D\xe9j\xe0\r\ncontent-length: 0\r\n\r\n' },
  { title: 'status 599', raw: 'HTTP/1.1 599 Odd\r\ncontent-length: 0\r\n\r\n' },
  { title: 'status of two digits', raw: 'HTTP/1.1 20 OK\r\ncontent-length: 0\r\n\r\n' },
  { title: 'status of four digits', raw: 'HTTP/1.1 2000 OK\r\ncontent-length: 0\r\n\r\n' },
  { title: 'status of letters', raw: 'HTTP/1.1 abc OK\r\ncontent-length: 0\r\n\r\n' },
  { title: 'unknown version', raw: 'HTTP/3.7 200 OK\r\ncontent-length: 0\r\n\r\n' },
  { title: 'lower-case protocol', raw: 'http/1.1 200 OK\r\ncontent-length: 0\r\n\r\n' },
  { title: 'another protocol', raw: 'SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n' },
  { title: 'bytes that are nothing', raw: '\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10\x11' },
  { title: 'a page without a head', raw: '<html><body>hello</body></html>' },
  { title: 'an end without a byte', raw: '' },
  { title: 'an end inside the status line', raw: 'HTTP/1.1 20' },
  { title: 'an end inside the headers', raw: `${ok}content-le` },
  { title: 'lines without CR', raw: 'HTTP/1.1 200 OK\ncontent-length: 2\n\nhi' },
  { title: 'a header without CR', raw: `${ok}x: y\ncontent-length: 2\r\n\r\nhi` },
  { title: 'CR alone inside a value', raw: `${ok}x: a\rb\r\ncontent-length: 2\r\n\r\nhi` },
  { title: 'a header without a colon', raw: `${ok}nonsense\r\ncontent-length: 2\r\n\r\nhi` },
  { title: 'a header without a name', raw: `${ok}: value\r\ncontent-length: 2\r\n\r\nhi` },
  { title: 'a blank before the colon', raw: `${ok}x : y\r\ncontent-length: 2\r\n\r\nhi` },
  { title: 'a blank inside a name', raw: `${ok}x y: z\r\ncontent-length: 2\r\n\r\nhi` },
  {
    title: 'a folded header',
    raw: `${ok}x: a\r\n  b\r\ncontent-length: 2\r\n\r\nhi`,
  },
  { title: 'blanks around a value', raw: `${ok}x: \t a b \t\r\ncontent-length: 2\r\n\r\nhi` },
  { title: 'no blanks around a value', raw: `${ok}x:y\r\ncontent-length:2\r\n\r\nhi` },
  { title: 'a value of blanks alone', raw: `${ok}x: \t \r\ncontent-length: 2\r\n\r\nhi` },
  { title: 'an empty value', raw: `${ok}x:\r\ncontent-length: 2\r\n\r\nhi` },
  { title: 'NUL inside a value', raw: `${ok}x: a\x00b\r\ncontent-length: 2\r\n\r\nhi` },
  { title: 'DEL inside a value', raw: `${ok}x: a\x7fb\r\ncontent-length: 2\r\n\r\nhi` },
  { title: 'foreign letters inside a value', raw: `${ok}x: \xe9\xff\r\ncontent-length: 2\r\n\r\nhi` },
  { title: 'repeated headers', raw: `${ok}via: a\r\nvia: b\r\ncontent-length: 0\r\n\r\n` },
  {
    title: 'repeated headers of which the first counts',
    raw: `${ok}location: /a\r\nlocation: /b\r\ncontent-length: 0\r\n\r\n`,
  },
  {
    title: 'headers named like members of Object',
    raw: `${ok}constructor: a\r\ntostring: b\r\ncontent-length: 0\r\n\r\n`,
  },
  { title: 'an empty line before the answer', raw: `\r\n${ok}content-length: 2\r\n\r\nhi` },
  { title: 'headers of 60 KiB', raw: `${ok}x: ${'a'.repeat(60 * 1024)}\r\ncontent-length: 2\r\n\r\nhi` },
  { title: 'headers of 66 KiB', raw: `${ok}x: ${'a'.repeat(66 * 1024)}\r\ncontent-length: 2\r\n\r\nhi` },
]

describe('the response parser beside node:http', async () => {
  let raw = Buffer.alloc(0)
  const { port } = await rawServer((socket) => socket.once('data', () => socket.end(raw)))

  function askNode(method: string): Promise<Parsed> {
    return new Promise((resolve) => {
      const parsed: Parsed = { status: null, headers: {}, body: '', problem: null }
      const refuse = (error: NodeJS.ErrnoException): void =>
        resolve({ ...parsed, problem: error.code ?? error.message })
      const options = { port, method, agent: false, maxHeaderSize: 64 * 1024 } as const
      const sent = request(options, (answer) => {
        parsed.status = answer.statusCode ?? null
        for (const [name, value] of Object.entries(answer.headers)) parsed.headers[name] = String(value)
        answer.on('data', (piece: Buffer) => (parsed.body += piece.toString('latin1')))
        answer.once('end', () => resolve(parsed))
        answer.once('error', refuse)
      })
      sent.once('error', refuse)
      sent.end()
    })
  }

  for (const { title, raw: text, method = 'GET', differs } of answers)
    it(`${title}${differs === undefined ? '' : `: not as node, because ${differs}`}`, async () => {
      raw = Buffer.from(text, 'latin1')
      const theirs = await askNode(method)
      const ours = parseText(text, method)
      const isAlike = (ours.problem === null) === (theirs.problem === null)
      assert.equal(isAlike, differs === undefined, `ours: ${ours.problem}, node: ${theirs.problem}`)
      if (ours.problem !== null || theirs.problem !== null) return
      assert.deepEqual({ ...ours, headers: { ...ours.headers } }, theirs)
    })
})

describe('the response parser', () => {
  const alphabet = fc.constantFrom(
    'HTTP/1.1 200 OK',
    'HTTP/1.1 ',
    '200',
    '304',
    '100',
    '\r\n',
    '\r\n',
    '\n',
    '\r',
    ' ',
    ':',
    'content-length: ',
    '5',
    '0',
    'transfer-encoding: chunked',
    'x: y',
    'hello',
    'a',
    '\x00',
    '\xff',
    ';',
    '\r\n\r\n',
  )
  const something = fc.oneof(
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    fc.array(alphabet, { maxLength: 30 }).map((words) => Buffer.from(words.join(''), 'latin1')),
    fc
      .tuple(fc.constantFrom(...answers.map((answer) => answer.raw)), fc.nat(), fc.nat(255))
      .map(([text, place, byte]) => {
        const bytes = Buffer.from(text, 'latin1')
        if (bytes.length > 0) bytes[place % bytes.length] = byte
        return bytes
      }),
  )

  it('reads the same from any bytes however they are cut, and throws nothing but its own error', () => {
    fc.assert(
      fc.property(
        something,
        fc.array(fc.nat(70_000), { maxLength: 20 }),
        fc.constantFrom('GET', 'HEAD'),
        (bytes, places, method) => {
          assert.deepEqual(parse(split(bytes, places), method), parse([bytes], method))
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('reads every answer of the table the same byte by byte', () => {
    for (const { raw, method } of answers.filter((answer) => answer.raw.length < 1000)) {
      const bytes = Buffer.from(raw, 'latin1')
      assert.deepEqual(
        parse(
          [...bytes].map((byte) => Buffer.from([byte])),
          method,
        ),
        parse([bytes], method),
      )
    }
  })

  it('gives back any body in any chunks', () => {
    const chunk = fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => Buffer.from(bytes))
    fc.assert(
      fc.property(fc.array(chunk), fc.array(fc.nat(5000)), (chunks, places) => {
        const parts = chunks.map((each) =>
          Buffer.concat([Buffer.from(`${each.length.toString(16)}\r\n`), each, Buffer.from('\r\n')]),
        )
        const bytes = Buffer.concat([
          Buffer.from(`${ok}transfer-encoding: chunked\r\n\r\n`),
          ...parts,
          Buffer.from('0\r\n\r\n'),
        ])
        assert.equal(parse(split(bytes, places)).body, Buffer.concat(chunks).toString('latin1'))
      }),
    )
  })

  const texts = [
    ['', 'The server closed the connection without an answer'],
    ['HTTP/1.1 20', 'The server closed the connection in the middle of its headers'],
    [`${ok}x: y`, 'The server closed the connection in the middle of its headers'],
    [`${ok}content-length: 100\r\n\r\nab`, 'The answer was cut short: 98 of 100 bytes are missing'],
    ['SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n', 'The answer is not valid HTTP: it begins with "SSH-2.0-OpenSSH_"'],
    ['220 mail\r\n', 'The answer is not valid HTTP: it begins with "220 mail"'],
    ['HTTP/1.1 twenty\r\n', 'The answer is not valid HTTP: its status line is "HTTP/1.1 twenty"'],
    [`HTTP/${'2'.repeat(35)}\r\n`, `The answer is not valid HTTP: its status line is "HTTP/${'2'.repeat(35)}"`],
    [`HTTP/${'2'.repeat(36)}\r\n`, `The answer is not valid HTTP: its status line is "HTTP/${'2'.repeat(35)}..."`],
    [
      'HTTP/1.1 101 Up\r\nupgrade: h2c\r\n\r\n',
      'The answer is not valid HTTP: it switches to another protocol, which was not asked for',
    ],
    [`${ok}x: ${'a'.repeat(70_000)}`, 'The headers of the answer are larger than 64 KiB'],
  ] as const
  for (const [raw, text] of texts)
    it(`says "${text}"`, () => assert.equal(parseText(raw).problem?.replace(/^\w+: /, ''), text))

  it('takes headers of 64 KiB, and not a byte more', () => {
    const head = `${ok}x: ${'a'.repeat(65_536 - ok.length - 7)}\r\n\r\n`
    assert.equal(head.length, 65_536)
    assert.equal(parseText(head).problem, null)
    assert.match(parseText(head.replace('x:', 'xx:')).problem ?? '', /larger than 64 KiB/)
  })

  it('refuses at the sixteenth byte what is another protocol, though its line has no end', () => {
    assert.equal(feed(reading(), Buffer.from('SSH-2.0-OpenSSH')), false)
    assert.throws(() => feed(reading(), Buffer.from('SSH-2.0-OpenSSH_')), ResponseError)
  })

  it('counts the chunks that have begun', () => {
    const parser = reading()
    feed(parser, Buffer.from(`${ok}transfer-encoding: chunked\r\n\r\n`))
    assert.equal(parser.chunks, 0)
    feed(parser, Buffer.from('2\r\nhi\r\n3\r\ny'))
    assert.equal(parser.chunks, 2)
  })

  it('limits interim answers, headers and trailers together', () => {
    const interim = `HTTP/1.1 103 Early Hints\r\nlink: ${'a'.repeat(1000)}\r\n\r\n`
    assert.match(parseText(interim.repeat(70)).problem ?? '', /larger than 64 KiB/)
    const trailers = `${ok}transfer-encoding: chunked\r\n\r\n0\r\n${`x: ${'a'.repeat(1000)}\r\n`.repeat(70)}\r\n`
    assert.match(parseText(trailers).problem ?? '', /larger than 64 KiB/)
  })

  it('limits the line of a chunk size', () => {
    const raw = `${ok}transfer-encoding: chunked\r\n\r\n5;${'a'.repeat(5000)}`
    assert.match(parseText(raw).problem ?? '', /a chunk has no proper size/)
  })

  it('takes a line of a chunk size of 4 KiB, and not a byte more, however it is cut', () => {
    const head = `${ok}transfer-encoding: chunked\r\n\r\n`
    const [fitting, longer] = ['', 'a'].map((more) =>
      Buffer.from(`${head}2;${'a'.repeat(4092)}${more}\r\nhi\r\n0\r\n\r\n`),
    )
    assert.ok(fitting !== undefined && longer !== undefined)
    for (const places of [[], [100, 2000]]) {
      assert.equal(parse(split(fitting, places)).problem, null)
      assert.match(parse(split(longer, places)).problem ?? '', /a chunk has no proper size/)
    }
  })

  it('keeps cookies apart', () => {
    assert.equal(
      parseText(`${ok}set-cookie: a=1\r\nset-cookie: b=2\r\ncontent-length: 0\r\n\r\n`).headers['set-cookie'],
      'a=1\nb=2',
    )
  })

  it('stops where its handler has seen enough', () => {
    const pieces: string[] = []
    const parser = createResponseParser('GET', {
      onHead: () => true,
      onBody: (piece) => {
        pieces.push(piece.toString())
        return false
      },
    })
    assert.equal(feed(parser, Buffer.from(`${ok}content-length: 100\r\n\r\nab`)), true)
    assert.equal(feed(parser, Buffer.from('cd')), true)
    assert.deepEqual(pieces, ['ab'])
  })
})
