/** What text of a page stands on: the page and its cards, in each scheme. */
export const grounds = {
  light: { page: '#f6f7f9', card: '#ffffff' },
  dark: { page: '#0f1215', card: '#171b20' },
} as const

export type Scheme = keyof typeof grounds

/** Of text that is not large (WCAG 2.2, 1.4.3). */
export const leastContrast = 4.5

/** How a chosen colour stands in a scheme. `contrast` is its least one with the grounds, cut after one decimal. */
export type Accent = { colour: string; contrast: number; isAsChosen: boolean }

/** `#rrggbb`, in any case. */
export const colourForm = /^#[0-9a-f]{6}$/i

/**
 * The colour in a scheme, or else the nearest one that has enough contrast there: darker on light, lighter on dark. No
 * colour has enough on both.
 */
export function accentIn(scheme: Scheme, chosen: string): Accent {
  const towards = scheme === 'light' ? 0 : 255
  const channels = channelsOf(chosen)
  for (let step = 0; step <= steps; step += 1) {
    const mixed = channels.map((channel) => Math.round(channel + ((towards - channel) * step) / steps))
    const contrast = Math.min(...Object.values(grounds[scheme]).map((ground) => contrastOf(mixed, channelsOf(ground))))
    if (contrast >= leastContrast)
      return { colour: textOf(mixed), contrast: Math.floor(contrast * 10) / 10, isAsChosen: step === 0 }
  }
  throw new Error(`No shade of ${chosen} can be read on ${scheme} pages.`)
}

const steps = 256

function channelsOf(colour: string): number[] {
  return [1, 3, 5].map((from) => Number.parseInt(colour.slice(from, from + 2), 16))
}

function textOf(channels: readonly number[]): string {
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

/** WCAG 2.2, "contrast ratio". */
function contrastOf(one: readonly number[], other: readonly number[]): number {
  const [lighter = 0, darker = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

/** WCAG 2.2, "relative luminance". */
function luminanceOf(channels: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = channels.map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
