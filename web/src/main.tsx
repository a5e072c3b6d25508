import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ApiError } from './api/ask.ts'
import { ToastProvider } from './parts/overlays/toast.tsx'
import { createConsoleRouter } from './router.ts'
import { forgetMe, workspacesQuery } from './session/session.ts'
import './styles.css'
import { chooseLanguage } from './texts.ts'
import { applyTheme } from './shell/theme.ts'

const offlineWorker = '/console/offline-worker.js'

applyTheme()
// A release later the files of this page are gone: the page itself has to come again.
addEventListener('vite:preloadError', () => location.reload())

// While it is developed the console is elsewhere, and a worker would keep answering there.
if (import.meta.env.PROD && 'serviceWorker' in navigator)
  addEventListener('load', () => void navigator.serviceWorker.register(offlineWorker, { scope: '/' }).catch(() => {}))

const onError = (error: unknown): void => {
  const code = error instanceof ApiError ? error.code : ''
  if (code === 'not_a_member') void client.invalidateQueries({ queryKey: workspacesQuery.queryKey })
  if (code !== 'not_signed_in') return
  forgetMe(client)
  void router.invalidate()
}
const client = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 5000,
      retry: (failures, error) => failures < 2 && !(error instanceof ApiError && error.status >= 400),
    },
  },
})
const router = createConsoleRouter(client)

const element = document.getElementById('console')
if (element === null) throw new Error('The page has no place for the console.')
await chooseLanguage(navigator.languages)
// The end of a session is answered by the page to sign in, also where a page was still reading: nothing is wrong then.
const onCaughtError = (error: unknown): void => {
  if (!(error instanceof ApiError && error.code === 'not_signed_in')) console.error(error)
}
createRoot(element, { onCaughtError }).render(
  <StrictMode>
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={client}>
        <ToastProvider>
          <RouterProvider router={router} />
        </ToastProvider>
      </QueryClientProvider>
    </I18nProvider>
  </StrictMode>,
)
