// Blocks that set variables of the service, as its environment or a file of settings has them.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '#config/config.ts'
import type { Block } from './blocks.ts'

export function isSettings({ text }: Block): boolean {
  return text.split('\n').every((line) => line === '' || /^PERIGEE_\w+=\S*(?:'[^']*')?$/.test(line))
}

/** The variables of a block, after the service has read them. Throws when it would not start with them. */
export function settingsOf(block: Block): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-settings-'))
  try {
    const key = join(folder, 'relayer')
    writeFileSync(key, `0x${'1'.repeat(64)}\n`)
    const text = block.text
      .replaceAll('https://…', 'https://rpc.example.com')
      .replaceAll('0x…', `0x${'ab'.repeat(20)}`)
      .replaceAll('/run/secrets/relayer', key)
    const read = execFileSync('env', ['-i', 'bash', '-c', `set -a\n${text}\n/usr/bin/env -0`], { encoding: 'utf8' })
    const variables = Object.fromEntries(
      read
        .split('\0')
        .filter((each) => each.startsWith('PERIGEE_'))
        .map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)] as const),
    )
    readConfig(variables)
    return variables
  } finally {
    rmSync(folder, { recursive: true })
  }
}
