// Builds the SDK into sdk/dist (docs/sdk.md): npm run sdk
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSdk, sdkFolder } from './sdk/build.ts'

const files = buildSdk()
const output = join(sdkFolder, 'dist')
rmSync(output, { recursive: true, force: true })
mkdirSync(output)
let bytes = 0
for (const [name, content] of files) {
  writeFileSync(join(output, name), content)
  bytes += content.length
}
console.log(`sdk/dist: ${files.size} files, ${Math.round(bytes / 1000)} kB`)
