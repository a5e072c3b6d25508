// Draws the icons of the installed console from web/public/icon.svg, with Debian's Chromium: npm exec -- node scripts/draw-icons.ts
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

const folder = join(import.meta.dirname, '..', 'web', 'public')
const drawing = readFileSync(join(folder, 'icon.svg'), 'utf8')
/** Whatever shape a phone cuts out, the ground fills it; what is drawn is well within (W3C Web App Manifest, 2.5.3). */
const whole = drawing.replace(/ rx="\d+"/, '')
const icons = [
  { name: 'icon-192.png', size: 192, svg: drawing },
  { name: 'icon-512.png', size: 512, svg: drawing },
  { name: 'icon-maskable-512.png', size: 512, svg: whole },
]

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
for (const { name, size, svg } of icons) {
  const page = await browser.newPage({ viewport: { width: size, height: size } })
  await page.setContent(`<style>body{margin:0}svg{display:block;width:100vw;height:100vh}</style>${svg}`)
  await page.screenshot({ path: join(folder, name), omitBackground: true })
}
await browser.close()
