import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { devices, schemes } from './camera.ts'
import type { Shot } from './pages.ts'

/** In the order light, then dark; of each at a desk, then on a phone. */
export function filesOf({ name }: Pick<Shot, 'name'>): string[] {
  return schemes.flatMap((scheme) => devices.map((device) => `${name}-${scheme}-${device}.webp`))
}

/** docs/images/README.md, as `npm run format` leaves it: all pictures of every page. */
export function writeIndex(folder: string, shots: readonly Shot[]): void {
  writeFileSync(
    join(folder, 'README.md'),
    `# Every page

Made by \`npm run images\` ([console.md](../console.md#working-on-it)), of a company that does not exist.

${shots.map(sectionOf).join('\n')}`,
  )
}

function sectionOf(shot: Shot): string {
  const [light = '', phone = '', dark = '', darkPhone = ''] = filesOf(shot)
  return `## ${shot.title}

![${shot.title}](${light})

[Dark](${dark}), [on a phone](${phone}), [on a phone, dark](${darkPhone})
`
}
