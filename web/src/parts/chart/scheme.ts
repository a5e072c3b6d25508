import { useEffect, useState } from 'react'

/** What a canvas needs of the page's style: it knows no variables, and none that depend on the scheme. */
export type Style = { font: string; colour: (name: string) => string }

const drawn = [
  '--muted',
  '--line',
  '--bad',
  '--bad-soft',
  '--warn',
  '--sunken',
  '--surface',
  '--chart-1',
  '--chart-2',
  '--chart-3',
  '--chart-4',
  '--chart-5',
] as const

/** An element says what the variables come to where it stands. */
export function styleOf(place: HTMLElement): Style {
  const probe = document.createElement('span')
  place.append(probe)
  const colours = new Map<string, string>()
  for (const name of drawn) {
    probe.style.color = `var(${name})`
    colours.set(name, getComputedStyle(probe).color)
  }
  const { fontFamily } = getComputedStyle(probe)
  probe.remove()
  return { font: `12px ${fontFamily}`, colour: (name) => colours.get(name) ?? 'gray' }
}

/** Rises whenever the page's colours change: by its own choice, or by the system's. */
export function useScheme(): number {
  const [count, setCount] = useState(0)
  useEffect(() => {
    const tell = (): void => setCount((before) => before + 1)
    const media = matchMedia('(prefers-color-scheme: dark)')
    const observer = new MutationObserver(tell)
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    media.addEventListener('change', tell)
    return () => {
      observer.disconnect()
      media.removeEventListener('change', tell)
    }
  }, [])
  return count
}
