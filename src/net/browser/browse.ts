import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NetFailure } from '#net/dial/net-failure.ts'
import { MissingMeans, OwnTrouble } from '#net/dial/own-trouble.ts'
import type { SeenPage } from '#net/ground/sight.ts'
import type { Parts } from '#net/dial/reach.ts'
import { createTurns, type Turns } from '#net/dial/turns.ts'
import { type BrowserBox, createBrowserBoxes, waySocketName } from './browser-box.ts'
import { openGuardedWay } from './guarded-way.ts'
import type { PageOrder, PageSight } from './page-words.ts'
import { runBox } from './run-box.ts'

/** A check whose failures are kept takes a picture. */
export type BrowserRequest = Omit<PageOrder, 'takesPicture' | 'wholeMs'>

/** `unreachable`: why the host of the page could not be reached, where that is known. */
export type BrowserOutcome =
  | { type: 'seen'; sight: PageSight; unreachable: NetFailure | null }
  | { type: 'ended'; why: 'time' | 'memory' | 'program'; unreachable: NetFailure | null }

export type Browse = (parts: Parts, request: BrowserRequest, signal: AbortSignal) => Promise<BrowserOutcome>

/** Each takes a core for a second or two, and some hundred megabytes. */
const maxVisitsAtOnce = 2
/** Of the minute that a check has, a part passes until it has its turn, and another until all is said. */
const wholeMs = 45_000

export type BrowserMeans = {
  /** The path of the program; null for the one that is found. */
  chromium: string | null
  /** Whether programs of monitors may run beside the browser, in its box. */
  runsScripts: boolean
}

export function createBrowser({ chromium, runsScripts }: BrowserMeans): Browse {
  const findBox = createBrowserBoxes(chromium, () => performance.now())
  const turns = createTurns(maxVisitsAtOnce)
  return async (parts, request, signal) => {
    if (request.script !== undefined && !runsScripts) throw new MissingMeans(noScripts, new Error('switched off'))
    return takeTurn({ findBox, turns }, { parts, request }, signal)
  }
}

const noScripts =
  'Scripts are not run at this location: its operator has to set PERIGEE_BROWSER_SCRIPTS=on where it checks'

type Visit = { parts: Parts; request: BrowserRequest }

async function takeTurn(
  { findBox, turns }: { findBox: () => Promise<BrowserBox>; turns: Turns },
  visit: Visit,
  signal: AbortSignal,
): Promise<BrowserOutcome> {
  const box = await findBox()
  const giveBack = await turns(signal)
  if (giveBack === null)
    throw new OwnTrouble('EBUSY', new Error('no turn came'), 'Too many pages are being visited at this location now.')
  const folder = await mkdtemp(join(tmpdir(), 'perigee-page-'))
  try {
    return await visitFrom(box, { ...visit, folder }, signal)
  } finally {
    await rm(folder, { recursive: true, force: true })
    giveBack()
  }
}

async function visitFrom(
  box: BrowserBox,
  { parts, request, folder }: Visit & { folder: string },
  signal: AbortSignal,
): Promise<BrowserOutcome> {
  const socketPath = join(folder, waySocketName)
  const ending = new AbortController()
  const both = AbortSignal.any([signal, ending.signal])
  const seen = parts.traffic.sight()
  const order = { ...request, takesPicture: seen?.keepsBodies === true, wholeMs }
  const way = await openGuardedWay(parts, { socketPath, timeoutMs: request.timeoutMs }, both)
  try {
    if (box.uid !== undefined) {
      await chmod(folder, 0o711)
      await chmod(socketPath, 0o666)
    }
    const ended = await runBox(box, { folder, order }, signal)
    if (seen !== null && typeof ended !== 'string') seen.page = seenPageOf(ended)
    const unreachable = way.failureOf(hostOf(request.url))
    return typeof ended === 'string'
      ? { type: 'ended', why: ended, unreachable }
      : { type: 'seen', sight: ended, unreachable }
  } finally {
    ending.abort()
    way.close()
  }
}

function hostOf(url: string): string {
  return new URL(url).hostname.replaceAll(/^\[|\]$/g, '')
}

function seenPageOf({ consoleErrors, failedRequests, steps, picture }: PageSight): SeenPage {
  return { consoleErrors: consoleErrors.first, failedRequests: failedRequests.first, stepsMs: steps, picture }
}
