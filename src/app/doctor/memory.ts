import { readFileSync } from 'node:fs'
import { freemem, totalmem } from 'node:os'
import { join } from 'node:path'
import { folderHolder } from '#store/embedded/data-folder.ts'
import { type Found, judged, notLookedAt, verdictOf } from '#core/doctor-report.ts'
import { sizeInWords } from '#core/language/size-in-words.ts'
import type { DoctorCheck } from './doctor-check.ts'

export const memory: DoctorCheck = {
  name: 'memory',
  look: async ({ examined }) => {
    const pid = servicePid(examined.config.dataFolder)
    return [judgeMachine(machineMemory()), judgeGroup(groupMemory(pid ?? process.pid), pid !== null)]
  },
}

/** Null without a service on the folder, and where the folder cannot be used, which the check of the database tells. */
function servicePid(dataFolder: string): number | null {
  try {
    return folderHolder(dataFolder)?.pid ?? null
  } catch {
    return null
  }
}

export type Memory = { usedBytes: number; limitBytes: number }

const limits = { warning: 0.85, bad: 0.95 }

export function judgeMachine(seen: Memory): Found {
  return judged('machine', verdictOf(seen.usedBytes / seen.limitBytes, limits), {
    found: `${sizeInWords(seen.usedBytes)} of ${sizeInWords(seen.limitBytes)} are used.`,
    advice: 'End what else takes memory on this machine, or give it more: PostgreSQL is what the system ends first.',
  })
}

/** `ofService`: of the process that runs on the data folder, otherwise of the doctor's own. */
export function judgeGroup(seen: Memory | null, ofService: boolean): Found {
  const whose = ofService ? 'The service' : 'This command, as the service is not seen from here,'
  if (seen === null) return notLookedAt('limit', `${whose} has no limit of its own (cgroup).`)
  return judged('limit', verdictOf(seen.usedBytes / seen.limitBytes, limits), {
    found: `${whose} uses ${sizeInWords(seen.usedBytes)} of the ${sizeInWords(seen.limitBytes)} that its cgroup allows.`,
    advice: 'Raise the limit of the container or unit (docs/operating.md says what each role takes).',
  })
}

function machineMemory(): Memory {
  const [, available] = /^MemAvailable:\s+(\d+) kB$/m.exec(readOr('/proc/meminfo', '')) ?? []
  const freeBytes = available === undefined ? freemem() : Number(available) * 1024
  return { usedBytes: totalmem() - freeBytes, limitBytes: totalmem() }
}

/** Pages of files that the system may drop are no use of memory. Null without a limit, or without cgroups of version 2. */
function groupMemory(pid: number): Memory | null {
  const [, group] = /^0::(.*)$/m.exec(readOr(`/proc/${pid}/cgroup`, '')) ?? []
  if (group === undefined) return null
  const folder = join('/sys/fs/cgroup', group)
  const limit = readOr(join(folder, 'memory.max'), 'max').trim()
  if (!/^\d+$/.test(limit)) return null
  const [, inactive = '0'] = /^inactive_file (\d+)$/m.exec(readOr(join(folder, 'memory.stat'), '')) ?? []
  const current = Number(readOr(join(folder, 'memory.current'), '0'))
  return { usedBytes: Math.max(0, current - Number(inactive)), limitBytes: Number(limit) }
}

function readOr(file: string, otherwise: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return otherwise
  }
}
