// Keeps live streams of the console open in a process of its own. Run: watcher.ts, which then gets its order as a message
// and answers with its tally.
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { percentile } from '../../../bench/support/figures.ts'
import { pause } from '../../support/pause.ts'

export type Watching = {
  url: string
  /** Of each session. */
  headers: readonly Readonly<Record<string, string>>[]
  streamsEach: number
  seconds: number
}

export type WatchTally = {
  open: number
  messages: number
  /** Milliseconds between two messages of a stream, which come about once a second while something changes. */
  gapP50: number
  gapMost: number
  /** The longest time in which nothing came at all; a beat comes every 15 s. */
  silentMostMs: number
  /** Streams that were refused with 429 or 503 and `Retry-After`, and such that ended otherwise or never began. */
  refused: number
  broken: number
}

process.once('message', (watching: Watching) => void watch(watching).then((tally) => process.send?.(tally)))
process.on('disconnect', () => process.exit())

async function watch({ url, headers, streamsEach, seconds }: Watching): Promise<WatchTally> {
  const tally = { open: 0, messages: 0, refused: 0, broken: 0, silentMostMs: 0 }
  const gaps: number[] = []
  const streams = headers.flatMap((own) => Array.from({ length: streamsEach }, () => follow({ url, own, tally, gaps })))
  await pause(seconds * 1000)
  const { open } = tally
  const never = streams.length - open - tally.refused - tally.broken
  for (const stream of streams) stream.destroy()
  return {
    ...tally,
    open,
    broken: tally.broken + never,
    gapP50: percentile(gaps, 0.5),
    gapMost: Math.max(0, ...gaps),
  }
}

type Following = {
  url: string
  own: Readonly<Record<string, string>>
  tally: Pick<WatchTally, 'open' | 'messages' | 'refused' | 'broken' | 'silentMostMs'>
  gaps: number[]
}

function follow({ url, own, tally, gaps }: Following): ClientRequest {
  const sent = request(url, { agent: false, headers: { ...own, accept: 'text/event-stream' } }, (answer) => {
    const status = answer.statusCode ?? 0
    answer.on('error', () => {})
    if (status !== 200) {
      answer.resume()
      if ((status === 429 || status === 503) && Number(answer.headers['retry-after']) > 0) tally.refused += 1
      else tally.broken += 1
      return
    }
    tally.open += 1
    answer.once('end', () => {
      tally.open -= 1
      tally.broken += 1
    })
    readMessages(answer, { tally, gaps })
  })
  sent.on('error', () => {})
  sent.end()
  return sent
}

function readMessages(answer: IncomingMessage, { tally, gaps }: Pick<Following, 'tally' | 'gaps'>): void {
  let lastMs: number | null = null
  let heardMs = performance.now()
  answer.setEncoding('utf8').on('data', (text: string) => {
    const now = performance.now()
    tally.silentMostMs = Math.max(tally.silentMostMs, now - heardMs)
    heardMs = now
    if (!/^data: /m.test(text)) return
    tally.messages += 1
    if (lastMs !== null) gaps.push(now - lastMs)
    lastMs = now
  })
}
