import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { inside, outside, root } from './frames.tsx'

const signIn = () => import('../pages/people/sign-in.tsx')
const links = () => import('../pages/people/mail-links.tsx')
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

/** Members of an authorization request (RFC 6749 4.1.1, RFC 7636, RFC 8707); others change nothing. */
const requestMembers = [
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'resource',
]

export const connectRoute = createRoute({
  getParentRoute: () => inside,
  path: '/connect',
  validateSearch: (search): Record<string, string> =>
    Object.fromEntries(
      requestMembers.flatMap((name) => {
        const { [name]: value } = search
        return typeof value === 'string' ? [[name, value]] : []
      }),
    ),
  component: lazyRouteComponent(() => import('../pages/people/connect.tsx'), 'ConnectPage'),
})

export const deviceRoute = createRoute({
  getParentRoute: () => inside,
  path: '/device',
  validateSearch: (search): { user_code?: string } => {
    const { user_code: code } = search
    return typeof code === 'string' && code !== '' ? { user_code: code.slice(0, 20) } : {}
  },
  component: lazyRouteComponent(() => import('../pages/people/device.tsx'), 'DevicePage'),
})
