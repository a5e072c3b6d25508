import { existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { type Found, judged } from '#core/doctor-report.ts'
import { sizeInWords } from '#core/language/size-in-words.ts'
import type { DoctorCheck } from './doctor-check.ts'

export const disk: DoctorCheck = {
  name: 'disk',
  look: async ({ examined }) => [
    ...judgeDisk('data folder', spaceOf(examined.config.dataFolder)),
    ...judgeDisk('temporary folder', spaceOf(tmpdir())),
  ],
}

export type Space = { path: string; freeBytes: number; totalBytes: number; freeFiles: number; totalFiles: number }

const gigabyte = 1_000_000_000

export function judgeDisk(subject: string, space: Space): Found[] {
  const { path, freeBytes, totalBytes, freeFiles, totalFiles } = space
  const share = totalBytes === 0 ? 1 : freeBytes / totalBytes
  // A large disk may be nearly full and still have room for months.
  const isShort = freeBytes < gigabyte || (share < 0.1 && freeBytes < 20 * gigabyte)
  const isOut = freeBytes < gigabyte / 5
  return [
    judged(subject, isOut ? 'bad' : isShort ? 'warning' : 'good', {
      found: `${path} has ${sizeInWords(freeBytes)} free of ${sizeInWords(totalBytes)}.`,
      advice: 'Make room on this disk, or move the folder to a larger one.',
    }),
    // Some file systems, such as btrfs, count none.
    ...(totalFiles === 0
      ? []
      : [
          judged(`${subject}, files`, freeFiles < 1_000 ? 'bad' : freeFiles / totalFiles < 0.05 ? 'warning' : 'good', {
            found: `${path} has room for ${freeFiles} more files of ${totalFiles}.`,
            advice: 'Remove files that nothing needs: the file system has no more inodes, however much space is free.',
          }),
        ]),
  ]
}

/** Free space where the folder is, or where a start would make it. */
function spaceOf(path: string): Space {
  if (!existsSync(path) && dirname(path) !== path) return spaceOf(dirname(path))
  const { bsize, bavail, blocks, ffree, files } = statfsSync(path)
  return { path, freeBytes: bavail * bsize, totalBytes: blocks * bsize, freeFiles: ffree, totalFiles: files }
}
