import { isIP } from 'node:net'
import { z } from 'zod'
import { doctorChecks } from '#app/doctor/index.ts'
import type { DoctorOptions } from '#app/doctor/doctor-check.ts'
import { openDoctor } from '#app/doctor/open-doctor.ts'
import { runChecks } from '#app/doctor/run-checks.ts'
import { readRelease } from '#app/release.ts'
import { examineConfig } from '#config/config.ts'
import { doctorReport } from '#core/doctor-report.ts'
import { parseHostPort } from '#core/language/host-port.ts'
import { asksForHelp, readArguments } from './arguments.ts'
import { usageOf } from './definitions/definition.ts'
import { doctorDefinition } from './definitions/running.ts'
import { doctorText } from './doctor-text.ts'
import { columnsOf, paintFor } from './terminal/paint.ts'
import { type Terminal, UsageError } from './terminal.ts'

const usage = usageOf(doctorDefinition)
/** A server that does not answer must not hold up the end. */
const closeMs = 1_000

/** Resolves to 1 where something is bad: a warning is for the morning. */
export async function runDoctor(argv: readonly string[], { out }: Terminal): Promise<number> {
  if (asksForHelp(argv)) {
    out.write(usage)
    return 0
  }
  const { values, positionals } = readArguments(argv, doctorDefinition.options, usage)
  if (positionals.length > 0) throw new UsageError('doctor takes no arguments.', usage)
  const options = readOptions(values)
  const { context, close } = openDoctor(examineConfig(), options)
  const findings = await runChecks(doctorChecks, context)
  const report = doctorReport(findings, { at: new Date(), version: readRelease() })
  if (values.json === true) out.write(`${JSON.stringify(report, null, 2)}\n`)
  else out.write(doctorText(report, paintFor(out), columnsOf(out)))
  await Promise.race([close(), new Promise((resolve) => setTimeout(resolve, closeMs))])
  return report.counts.bad > 0 ? 1 : 0
}

function readOptions({
  'mail-to': mailTo,
  ntp,
}: {
  'mail-to'?: string | undefined
  ntp?: string | undefined
}): DoctorOptions {
  if (mailTo !== undefined && !z.email().safeParse(mailTo).success)
    throw new UsageError(`${JSON.stringify(mailTo)} is not a mail address.`, usage)
  if (ntp !== undefined && isIP(ntp) === 0 && parseHostPort(ntp) === null)
    throw new UsageError(`${JSON.stringify(ntp)} is not a host with or without a port.`, usage)
  return { mailTo: mailTo ?? null, timeServer: ntp ?? null }
}
