import { type Found, good, notLookedAt } from '#core/doctor-report.ts'
import { MissingMeans } from '#net/dial/own-trouble.ts'
import type { DoctorCheck } from './doctor-check.ts'

/** Only monitors of kind `browser` need it, so that nothing here is bad. */
export const browser: DoctorCheck = {
  name: 'browser',
  look: async ({ examined }) => {
    const { createBrowserBoxes } = await import('#net/browser/browser-box.ts')
    const { runsScripts } = examined.config
    try {
      await createBrowserBoxes(null, () => performance.now())()
      return judgeBrowser({ missing: null, runsScripts })
    } catch (error) {
      if (!(error instanceof MissingMeans)) throw error
      // The last line is what the program said; those before it are how it was called.
      const why = error.cause instanceof Error ? (error.cause.message.trim().split('\n').at(-1) ?? '') : ''
      return judgeBrowser({ missing: why, runsScripts })
    }
  },
}

/** `missing` is why no page can be visited here; null where pages can. */
export function judgeBrowser({ missing, runsScripts }: { missing: string | null; runsScripts: boolean }): Found[] {
  if (missing !== null)
    return [
      notLookedAt(
        'pages',
        `Pages cannot be visited with a browser here: ${missing || 'no box could be made'}.`,
        'For monitors of the kind browser, install Chromium and bubblewrap, and allow user namespaces (docs/kinds/browser.md).',
      ),
    ]
  const ofScripts = runsScripts
    ? 'Monitors may run scripts beside the browser (PERIGEE_BROWSER_SCRIPTS).'
    : 'Monitors may run no scripts beside the browser (PERIGEE_BROWSER_SCRIPTS).'
  return [
    good('pages', 'Pages can be visited with a browser: Chromium starts in a box of bubblewrap.'),
    good('scripts', ofScripts),
  ]
}
