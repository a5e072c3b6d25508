import { readFile, stat } from 'node:fs/promises'
import { z } from 'zod'
import { type CountersignedDay, countersignatureSchema, countersignedDays } from '#core/proofs/countersign.ts'
import { type PublicSigningKey, publicSigningKeySchema } from '#core/proofs/signature.ts'
import { signedHeadSchema } from '#core/proofs/signed-history.ts'
import {
  type Verified,
  type VerifiedDay,
  type VerifiedHistory,
  type VerifyOptions,
  verifyHistory,
} from '#core/proofs/verify-history.ts'
import { type VerifiedWorkspace, isWorkspaceExport, verifyWorkspace } from '#core/proofs/verify-workspace.ts'
import { asksForHelp, readArguments } from './arguments.ts'
import { verifyDefinition } from './definitions/checking.ts'
import { usageOf } from './definitions/definition.ts'
import { type Terminal, UsageError } from './terminal.ts'

const usage = usageOf(verifyDefinition)
/** A month of 32 locations has 12 MB. */
const maxBytes = 64 * 1024 * 1024

/** Both as the service answers them; a service of a later release may say more. */
const keysSchema = z.object({ keys: z.array(publicSigningKeySchema).min(1) })
const rootSchema = z.object({
  ...signedHeadSchema.shape,
  countersignatures: z.array(z.object(countersignatureSchema.shape)).default([]),
})
const rootsSchema = z.object({ data: z.array(rootSchema).min(1) })

/** `perigee verify`: see its usage. */
export async function runVerify(argv: readonly string[], terminal: Terminal): Promise<number> {
  if (asksForHelp(argv)) {
    terminal.out.write(usage)
    return 0
  }
  const { values, positionals } = readArguments(argv, verifyDefinition.options, usage)
  const [file, ...others] = positionals
  if (file === undefined || others.length > 0) throw new UsageError('Name one file.', usage)
  const problems: string[] = []
  const text = await readText(file, problems)
  const keys = values.keys === undefined ? undefined : await readJson(values.keys, keysSchema, problems)
  const roots = values.roots === undefined ? undefined : await readJson(values.roots, rootsSchema, problems)
  if (values.countersigners !== undefined && values.roots === undefined)
    throw new UsageError('--countersigners needs --roots, where the signatures of locations stand.', usage)
  const countersigners =
    values.countersigners === undefined ? undefined : await readJson(values.countersigners, keysSchema, problems)
  if (problems.length > 0) {
    terminal.err.write(`${problems.join('\n')}\n`)
    return 1
  }
  const verification = verify(text, {
    ...(keys === undefined ? {} : { keys: keys.keys }),
    ...(roots === undefined ? {} : { roots: roots.data }),
    ...(countersigners === undefined ? {} : { countersigners: countersigners.keys }),
  })
  const told = {
    hasKeys: keys !== undefined,
    hasRoots: roots !== undefined,
    hasCountersigners: countersigners !== undefined,
  }
  if (values.json) terminal.out.write(`${JSON.stringify(verification)}\n`)
  else terminal.out.write(inWords(verification, told))
  return verification.ok ? 0 : 1
}

type Verification = Verified<(VerifiedHistory | VerifiedWorkspace) & { countersigned: CountersignedDay[] }>

type Given = {
  keys?: readonly PublicSigningKey[]
  roots?: z.infer<typeof rootsSchema>['data']
  /** The keys of locations that count; where none are given, any. */
  countersigners?: readonly PublicSigningKey[]
}

/** Where roots, or keys of locations, were given, agreeing with none of them proves less than the caller asks for. */
function verify(text: string, { roots, keys, countersigners }: Given): Verification {
  const options: VerifyOptions = {
    ...(keys === undefined ? {} : { keys }),
    ...(roots === undefined ? {} : { roots: roots.map(({ head }) => head) }),
  }
  const verification: Verified<VerifiedHistory | VerifiedWorkspace> = isWorkspaceExport(text)
    ? verifyWorkspace(text, options)
    : verifyHistory(text, options)
  if (!verification.ok) return verification
  const { history } = verification
  if (roots !== undefined && history.agreeingRoots === 0)
    return { ok: false, line: 1, problem: 'None of the roots is of a day of this export.' }
  const countersigned = countersignedDays(history.days, roots ?? [], countersigners)
  if (countersigners !== undefined && countersigned.every(({ locations }) => locations.length === 0))
    return { ok: false, line: 1, problem: 'None of the days was signed by one of these locations.' }
  return { ok: true, history: { ...history, countersigned } }
}

async function readText(file: string, problems: string[]): Promise<string> {
  try {
    const { size } = await stat(file)
    if (size <= maxBytes) return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(file))
    problems.push(`${file} has more than ${maxBytes} bytes.`)
  } catch (error) {
    problems.push(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
  return ''
}

async function readJson<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
  problems: string[],
): Promise<z.infer<Schema> | undefined> {
  const text = await readText(file, problems)
  if (text === '') return undefined
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    problems.push(`${file} is not what the service answers.`)
    return undefined
  }
}

type Told = { hasKeys: boolean; hasRoots: boolean; hasCountersigners: boolean }

function inWords(verification: Verification, { hasKeys, hasRoots, hasCountersigners }: Told): string {
  if (!verification.ok) return `Changed, or not whole. Line ${verification.line}: ${verification.problem}\n`
  const { agreeingRoots, countersigned } = verification.history
  return [
    `Unchanged since the roots of these days left the operator.`,
    ...('monitor' in verification.history
      ? monitorInWords(verification.history)
      : workspaceInWords(verification.history)),
    hasKeys
      ? 'The signatures are by keys that you gave.'
      : 'The keys came with the export: compare them with /.well-known/perigee-signing-keys, or use --keys.',
    hasRoots
      ? `${agreeingRoots} of the roots that you gave are of these days, and agree.`
      : 'No root was given that was kept elsewhere: until then, the operator could have signed something else later.',
    ...countersignedInWords(countersigned, hasCountersigners),
    '',
  ].join('\n')
}

function countersignedInWords(days: readonly CountersignedDay[], hasCountersigners: boolean): string[] {
  const signed = days.filter(({ locations }) => locations.length > 0)
  if (signed.length === 0) return []
  const locations = [...new Set(signed.flatMap((day) => day.locations))].toSorted().join(', ')
  return [
    `${signed.length} of ${days.length} days were signed by locations as well: ${locations}.`,
    hasCountersigners
      ? 'These signatures are by keys that you gave.'
      : 'The keys of these locations came with the roots: use --countersigners with keys that their operators gave you.',
  ]
}

function monitorInWords({ monitor, installation, days }: VerifiedHistory): string[] {
  return [
    `Monitor ${monitor} of the installation ${installation}`,
    ...days.flatMap((day) => [dayInWords(day), `            root ${day.root}`]),
  ]
}

function workspaceInWords({ workspace, installation, days }: VerifiedWorkspace): string[] {
  return [
    `Workspace ${workspace} of the installation ${installation}`,
    ...days.flatMap(({ day, root, monitors }) => [
      monitors.length === 0
        ? `${day}  the export shows nothing of this workspace`
        : `${day}  all ${monitors.length} monitors that are signed of this workspace`,
      `            root ${root}`,
      ...monitors.map((each) => `            ${each.monitor}  ${countsInWords(each)}`),
    ]),
  ]
}

function dayInWords(day: VerifiedDay): string {
  if (!day.areHoursKept) return `${day.day}  the hours are not kept any more, only their root`
  if (day.hours === 0) return `${day.day}  nothing is signed of this monitor`
  return `${day.day}  ${countsInWords(day)}`
}

function countsInWords({ checks, down, hours, areHoursKept }: VerifiedDay): string {
  if (!areHoursKept) return 'the hours are not in the export, only their root'
  const uptime = checks === 0 ? 'no uptime' : `${((100 * (checks - down)) / checks).toFixed(3)} %`
  return `${uptime}, ${checks} checks, ${down} down, ${hours} leaves`
}
