// Refuses comments and documents that cite a file, room or section that is not in the repository: part of `npm run check`.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { looseCitations } from './citations/citations.ts'

const cwd = fileURLToPath(new URL('..', import.meta.url))
const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd,
  encoding: 'utf8',
})
const files = new Set(listed.split('\n').filter((file) => file !== '' && existsSync(`${cwd}/${file}`)))
const headings = new Map<string, string[]>()
const shelf = { files, headingsOf }
const read = [...files].filter((file) => /\.(?:md|tsx?|js|sql)$/.test(file) && !file.startsWith('scripts/citations/'))
const loose = read.flatMap((file) =>
  looseCitations({ file, text: textOf(file) }, shelf).map(({ line, citation, because }) => {
    return `${file}:${line}  ${citation}: ${because}`
  }),
)
for (const each of loose) console.error(each)
console.log(`${loose.length} of the citations in ${read.length} files resolve to nothing.`)
process.exitCode = loose.length === 0 ? 0 : 1

function headingsOf(file: string): readonly string[] {
  const known = headings.get(file) ?? [...textOf(file).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title)
  headings.set(file, known)
  return known
}

function textOf(file: string): string {
  return readFileSync(`${cwd}/${file}`, 'utf8')
}
