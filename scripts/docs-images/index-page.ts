import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { devices, schemes } from './camera.ts'
import type { Shot } from './pages.ts'

/** In the order light, then dark; of each at a desk, then on a phone. */
export function filesOf({ name }: Pick<Shot, 'name'>): string[] {
  return schemes.flatMap((scheme) => devices.map((device) => `${name}-${scheme}-${device}.webp`))
}

/** Writes README.md into the folder: all pictures of every page that has been photographed. */
export function writeIndex(folder: string, shots: readonly Shot[]): void {
  const photographed = shots.filter((shot) => filesOf(shot).every((file) => existsSync(join(folder, file))))
  writeFileSync(
    join(folder, 'README.md'),
    `# Every page

Made by \`npm run images\` ([How is the console tested?](../../design/console.md#how-is-it-tested)), of a company that does not exist.

${photographed.map(sectionOf).join('\n')}`,
  )
}

function sectionOf(shot: Shot): string {
  const [light = '', phone = '', dark = '', darkPhone = ''] = filesOf(shot)
  return `## ${shot.title}

![${shot.title}](${light})

[Dark](${dark}), [on a phone](${phone}), [on a phone, dark](${darkPhone})
`
}
