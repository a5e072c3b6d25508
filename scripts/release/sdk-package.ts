// The npm package of the SDK (docs/sdk.md).
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSdk, sdkFolder } from '../sdk/build.ts'
import { type Entry, fileEntry, under } from './entries.ts'
import { release, root } from './release-facts.ts'

/** As npm names the file of a package with a scope. */
export function sdkName(): string {
  return `perigee-sdk-${release.version}.tgz`
}

/** npm unpacks what lies below "package". The SDK has the version of the service whose API it is made from. */
export function sdkEntries(): Entry[] {
  const { scripts: _, ...facts } = JSON.parse(readFileSync(join(sdkFolder, 'package.json'), 'utf8'))
  return under('package', [
    fileEntry('package.json', `${JSON.stringify({ ...facts, version: release.version }, null, 2)}\n`),
    fileEntry('README.md', readFileSync(join(sdkFolder, 'README.md'))),
    fileEntry('LICENSE', readFileSync(join(root, 'LICENSE'))),
    ...[...buildSdk()].map(([name, bytes]) => fileEntry(`dist/${name}`, bytes)),
  ])
}
