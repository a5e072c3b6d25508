import { t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../api/ask.ts'
import type { MonitorApi } from '../../api/monitors.ts'
import { isOfOwnNetwork, isSurelyOfOwnNetwork } from '../../parts/internal-names.ts'
import { problemOf } from '../../parts/problem.ts'
import { requestKey } from '../../parts/form/request-key.ts'
import { sameness } from '../../parts/targets.ts'
import { usePrivateTargetChoice } from '../../session/use-installation.ts'
import { useChanged } from '../../session/workspace.tsx'
import { useMonitors } from '../../session/use-monitors.ts'
import type { MonitorRow } from '../monitors/monitors-rows.ts'
import { type Found, look, permissionOf, wasRefusedPrivate } from './look.ts'
import { type Line, linesOf, mostLines } from './lines.ts'

export type WatchRow = {
  line: Line
  found: Found
  isChosen: boolean
  /** Why it could not be made, where that was tried. */
  failure: string | null
  /** The same request is answered the same, should its answer be lost. */
  key: string
}

type Permission = {
  isOffered: boolean
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
  end: () => void
}

export type Watching = {
  text: string
  setText: (text: string) => void
  /** Whether monitors of private addresses may reach them, asked where there is one. */
  permission: Permission
  rows: readonly WatchRow[]
  choose: (row: WatchRow, isChosen: boolean) => void
  /** Throws what is wrong with the lines once all have been looked at; what is right with the others stays. */
  check: () => Promise<void>
  /**
   * In the order of the lines; `periodOf` says how the one at a place is paid. What cannot be made stays, and says why.
   */
  create: (periodOf: (index: number) => string | undefined) => Promise<Created>
}

/** `isAll`: each that was chosen. `isOver`: no line is left. */
export type Created = { count: number; isAll: boolean; isOver: boolean }

/** A workspace may have four checks under way, and other pages make some, too. */
const checksAtOnce = 2

/** Addresses on their way to being monitors: typed, checked once each, and then made. */
export function useWatching(watched: readonly MonitorRow[]): Watching {
  const monitors = useMonitors()
  const changed = useChanged()
  const [text, setText] = useState('')
  const [rows, setRows] = useState<readonly WatchRow[]>([])
  // Answers to earlier text are dropped.
  const turn = useRef(0)
  useEffect(() => () => void (turn.current += 1), [])
  const change = (row: Pick<WatchRow, 'key'>, next: Partial<WatchRow>): void =>
    setRows((all) => all.map((each) => (each.key === row.key ? { ...each, ...next } : each)))
  const forget = (): void => {
    turn.current += 1
    setRows([])
  }
  const permission = usePermission({ text, rows, onChange: forget })
  const check = async (): Promise<void> => {
    const own = (turn.current += 1)
    const begun = begin(linesOf(text), watched)
    setRows(begun)
    const ended = await eachOf(begun, checksAtOnce, async (row) => {
      const found = row.found.type === 'checking' ? await look(monitors, row.line.wish, permission.isChosen) : row.found
      const next = { found, isChosen: found.type === 'checked' && found.trial.status !== 'down' }
      if (own === turn.current) change(row, next)
      return { ...row, ...next }
    })
    if (own === turn.current) assertNoneRefused(ended)
  }
  const create: Watching['create'] = async (periodOf) => {
    const own = turn.current
    const chosen = rows.filter(({ isChosen }) => isChosen)
    if (chosen.length === 0) throw new ApiError({ status: 422, code: 'none_chosen', message: t`Tick at least one.` })
    const made = await makeEach(monitors, chosen, {
      periodOf,
      onFailure: (row, failure) => own === turn.current && change(row, { failure }),
    })
    if (made.length > 0) await changed('monitors', 'account', 'overview')
    const over = rows.filter((row) => isOver(row, made))
    const left = withoutLines(text, over)
    if (own === turn.current) {
      setRows((all) => all.filter(({ key }) => over.every((row) => row.key !== key)))
      setText(left)
      // It was said of these addresses.
      if (left === '') permission.end()
    }
    return { count: made.length, isAll: made.length === chosen.length, isOver: left === '' }
  }
  return {
    text,
    setText: (next) => {
      setText(next)
      forget()
    },
    permission,
    rows,
    choose: (row, isChosen) => change(row, { isChosen }),
    check,
    create,
  }
}

type Asking = { text: string; rows: readonly WatchRow[]; onChange: () => void }

/** Once it was chosen, either way, it stays to be seen. What was found without it is not true with it. */
function usePermission({ text, rows, onChange }: Asking): Permission {
  const mayAllow = usePrivateTargetChoice()
  const [chosen, setChosen] = useState<boolean | null>(null)
  return {
    isOffered: mayAllow && (chosen !== null || namesPrivate(text) || rows.some(asksPermission)),
    isChosen: mayAllow && chosen === true,
    onChoose: (isChosen) => {
      setChosen(isChosen)
      onChange()
    },
    end: () => setChosen(null),
  }
}

/** Whether a line is a private address. The last one may still be on its way to a longer name. */
function namesPrivate(text: string): boolean {
  const whole = text.split('\n')
  const last = whole.pop() ?? ''
  return whole.some(isOfOwnNetwork) || isSurelyOfOwnNetwork(last)
}

function asksPermission({ line, found }: WatchRow): boolean {
  return isOfOwnNetwork(line.wish.url) || wasRefusedPrivate(found)
}

/** True for a row that is a monitor now, or was one before. */
function isOver({ key, found }: WatchRow, made: readonly WatchRow[]): boolean {
  return found.type === 'known' || made.some((row) => row.key === key)
}

function withoutLines(text: string, over: readonly WatchRow[]): string {
  const gone = new Set(over.map(({ line }) => line.text))
  return linesOf(text)
    .map((line) => line.text)
    .filter((line) => !gone.has(line))
    .join('\n')
}

function begin(lines: readonly Line[], watched: readonly MonitorRow[]): WatchRow[] {
  if (lines.length === 0) throw refusal([t`Enter at least one address.`])
  const { length: count } = lines
  if (count > mostLines) throw refusal([t`These are ${count} lines. Enter at most ${mostLines} at once.`])
  const names = new Map(watched.map(({ kind, url, name }) => [sameness({ kind, url }), name]))
  const keys = lines.map(({ wish }) => sameness(wish))
  const different = lines.filter((_, index) => keys.indexOf(keys[index] ?? '') === index)
  return different.map((line) => {
    const name = names.get(sameness(line.wish))
    const found: Found =
      name === undefined ? { type: 'checking' } : { type: 'known', message: t`It is the monitor ${name}.` }
    return { line, found, isChosen: false, failure: null, key: requestKey() }
  })
}

type Making = {
  periodOf: (index: number) => string | undefined
  onFailure: (row: WatchRow, message: string) => void
}

/** One after the other. Returns the monitors that were made. */
async function makeEach(
  monitors: MonitorApi,
  rows: readonly WatchRow[],
  { periodOf, onFailure }: Making,
): Promise<WatchRow[]> {
  const made: WatchRow[] = []
  for (const row of rows) {
    const failure = await make(monitors, row, periodOf(made.length))
    if (failure === null) made.push(row)
    else onFailure(row, failure.message)
    // The others would wait as long for nothing.
    if (failure?.code === 'unreachable') break
  }
  return made
}

/** Null once it is made. */
async function make(
  monitors: MonitorApi,
  { line: { wish }, found, key }: WatchRow,
  period: string | undefined,
): Promise<{ code: string; message: string } | null> {
  if (found.type !== 'checked' && found.type !== 'untold') return null
  const paid = period === undefined ? {} : { billing_period: period }
  try {
    const { kind, name } = wish
    await monitors.create({ kind, name, url: found.url, ...permissionOf(found), ...paid }, key)
    return null
  } catch (error) {
    const { message, fields } = problemOf(error)
    const code = error instanceof ApiError ? error.code : ''
    return { code, message: [message, ...Object.values(fields).flat()].join(' ') }
  }
}

function assertNoneRefused(rows: readonly WatchRow[]): void {
  const refused = rows.filter(({ found }) => found.type === 'refused')
  const lines = refused.map(({ line }) => `“${line.text}”`).join(', ')
  if (refused.length > 0) throw refusal([t`Cannot be watched, for the reasons below: ${lines}.`])
}

/** In the form in which the service refuses a field. */
function refusal(problems: readonly string[]): ApiError {
  return new ApiError({ status: 422, code: 'validation_failed', message: '', fields: { addresses: problems } })
}

/** So many at once, each in its turn. */
async function eachOf<T, R>(all: readonly T[], atOnce: number, work: (each: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const left = [...all.entries()]
  const one = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) results[next[0]] = await work(next[1])
  }
  await Promise.all(Array.from({ length: atOnce }, one))
  return results
}
