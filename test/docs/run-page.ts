// Runs the commands of a page one after the other, in one shell, as a reader would.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { root } from '../../scripts/docs-links.ts'
import type { Block } from './blocks.ts'
import { placeholders, preparations } from './pages.ts'

const longestMs = 100_000

export type Surroundings = {
  /** Folders of the pages are made here. */
  folder: string
  dataFolder: string
  url: string
  token: string
  environment: Readonly<Record<string, string>>
}

/**
 * Says what went wrong where. Answers of the API that are no success end the page, though curl would go on; a verdict of
 * `perigee check`, what `perigee doctor` finds in a world without the Internet, drift that `perigee plan` finds, what
 * `perigee import` has to tell and a price that `perigee pay` asks for are results as good as any.
 */
const beginning = `set -euo pipefail
HERE='the preparation'
trap 'echo "FAILED: $HERE" >&2' ERR
set -o errtrace
curl() {
  case " $* " in
    *' -f'* | *' -sf '*) command curl "$@" ;;
    *) command curl --fail-with-body --show-error "$@" ;;
  esac
}
ask() {
  command curl -s "$PERIGEE/api/v1/$1" -H "X-API-Key: $TOKEN" -H 'Content-Type: application/json' -d "$2" |
    jq -er 'if .data.id then .data.id else error(tostring) end'
}
npm() {
  local code=0
  command npm "$@" || code=$?
  case " $* " in
    *' perigee -- check '*) (( code <= 1 )) && echo "CHECKED $HERE: $code" >&2 ;;
    *' perigee -- doctor '*) (( code <= 1 )) ;;
    *' perigee -- pay '*) [[ $* == *' --'[ckb]* ]] && return $code || (( code == 1 )) ;;
    *' perigee -- plan '* | *' perigee -- import '*) (( code == 0 || code == 2 )) ;;
    *) return $code ;;
  esac
}
perigee() { npm run --silent perigee -- "$@"; }
`

/** What the commands printed, errors included; fails when one of them fails. */
export async function runPage(blocks: readonly Block[], around: Surroundings): Promise<string> {
  const page = blocks[0]?.page ?? ''
  const { commands = '', before, files = {} } = preparations[page] ?? {}
  const folder = workFolder(around, files)
  const own = blocks.map((block) => {
    const first = before !== undefined && block.text.startsWith(before.begins) ? before.commands : ''
    return `${first}\n${scriptOf(block)}`
  })
  const script = [beginning, commands, ...own].join('\n')
  const shell = spawn('bash', ['-c', script], {
    cwd: folder,
    timeout: longestMs,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      TMPDIR: tmpdir(),
      HOME: folder,
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      npm_config_update_notifier: 'false',
      ...around.environment,
      PERIGEE: around.url,
      TOKEN: around.token,
      PERIGEE_TOKEN: around.token,
      PERIGEE_DATA_DIR: around.dataFolder,
    },
  })
  const [said, errors, [code]] = await Promise.all([textOf(shell.stdout), textOf(shell.stderr), once(shell, 'exit')])
  assert.equal(code, 0, `${errors}\nThe last block that began is ${lastOf(said)}\n${said.slice(-4000)}`)
  return `${said}\n${errors}`
}

function scriptOf({ page, line, text }: Block): string {
  const commands = placeholders.reduce((before, [from, to]) => before.replaceAll(from, to), text)
  return `HERE='${page}:${line}'; echo "# $HERE"\n${commands}`
}

/** The trap does not run for variables that are not set, which end a shell at once. */
function lastOf(said: string): string {
  return said.match(/^# docs\/.*|^# README.*/gm)?.at(-1) ?? 'none'
}

/** The repository as a reader stands in it, but for what the commands write. */
function workFolder({ folder, dataFolder }: Surroundings, files: Readonly<Record<string, string>>): string {
  const path = mkdtempSync(join(folder, 'page-'))
  for (const name of ['bin', 'examples', 'node_modules', 'package-lock.json', 'package.json', 'src'])
    symlinkSync(join(root, name), join(path, name))
  symlinkSync(dataFolder, join(path, 'data'))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), text)
    chmodSync(join(path, name), 0o755)
  }
  return path
}
