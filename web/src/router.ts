import type { QueryClient } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { claimRoute, connectRoute, deviceRoute, linkRoutes, outsideRoutes } from './routes/door-routes.ts'
import { inside, outside, root, shell } from './routes/frames.tsx'
import { shellRoutes } from './routes/shell-routes.ts'
import { NotFound, Trouble } from './shell/trouble.tsx'

const tree = root.addChildren([
  outside.addChildren(outsideRoutes),
  ...linkRoutes,
  inside.addChildren([claimRoute, connectRoute, deviceRoute, shell.addChildren(shellRoutes)]),
])

export function createConsoleRouter(client: QueryClient) {
  return createRouter({
    routeTree: tree,
    context: { client },
    defaultPreload: 'intent',
    defaultErrorComponent: Trouble,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
    // As every other page writes addresses: no value is taken for JSON.
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const pairs = Object.entries(search).filter(([, value]) => value !== undefined)
      const text = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString()
      return text === '' ? '' : `?${text}`
    },
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}
