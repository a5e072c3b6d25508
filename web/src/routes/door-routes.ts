import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { inside, outside, root } from './frames.tsx'

const signIn = () => import('../pages/people/sign-in.tsx')
const links = () => import('../pages/people/mail-links.tsx')
const provider = () => import('../pages/people/provider-sign-in.tsx')
const doors = () => import('../pages/people/set-up-invitation.tsx')

export const outsideRoutes = [
  createRoute({
    getParentRoute: () => outside,
    path: '/sign-in',
    component: lazyRouteComponent(signIn, 'SignInPage'),
  }),
  createRoute({
    getParentRoute: () => outside,
    path: '/sign-in/second-factor',
    component: lazyRouteComponent(signIn, 'SecondFactorPage'),
  }),
  createRoute({
    getParentRoute: () => outside,
    path: '/sign-in/single-sign-on',
    component: lazyRouteComponent(provider, 'SingleSignOnPage'),
  }),
  createRoute({
    getParentRoute: () => outside,
    path: '/sign-up',
    component: lazyRouteComponent(() => import('../pages/people/sign-up.tsx'), 'SignUpPage'),
  }),
  createRoute({
    getParentRoute: () => outside,
    path: '/forgot-password',
    component: lazyRouteComponent(signIn, 'ForgotPasswordPage'),
  }),
]

/** Behind links of mails and of the first start, for every reader. */
export const linkRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/sign-in/link',
    component: lazyRouteComponent(links, 'SignInLinkPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/sign-in/provider/$id',
    component: lazyRouteComponent(provider, 'ProviderReturnPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/verify-email',
    component: lazyRouteComponent(links, 'VerifyEmailPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/reset-password',
    component: lazyRouteComponent(links, 'ResetPasswordPage'),
  }),
  createRoute({ getParentRoute: () => root, path: '/set-up', component: lazyRouteComponent(doors, 'SetUpPage') }),
  createRoute({
    getParentRoute: () => root,
    path: '/invitation',
    component: lazyRouteComponent(doors, 'InvitationPage'),
  }),
]

export const claimRoute = createRoute({
  getParentRoute: () => inside,
  path: '/claim',
  validateSearch: (search): { claim_attempt_token: string } => {
    const { claim_attempt_token: token } = search
    return { claim_attempt_token: typeof token === 'string' ? token : '' }
  },
  component: lazyRouteComponent(() => import('../pages/people/claim.tsx'), 'ClaimPage'),
})

/** What a program sends, and what it may send beside that: the page looks for what it knows. */
const asSent = (search: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(Object.entries(search).filter((each): each is [string, string] => typeof each[1] === 'string'))

export const connectRoute = createRoute({
  getParentRoute: () => inside,
  path: '/connect',
  validateSearch: asSent,
  component: lazyRouteComponent(() => import('../pages/people/connect.tsx'), 'ConnectPage'),
})

export const deviceRoute = createRoute({
  getParentRoute: () => inside,
  path: '/device',
  validateSearch: asSent,
  component: lazyRouteComponent(() => import('../pages/people/device.tsx'), 'DevicePage'),
})
