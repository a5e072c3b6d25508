// Routers in a row, each a network namespace: here, near, middle, far, target. As root on Linux.
import { execFileSync } from 'node:child_process'
import { addNamespace, ip } from '../network-namespace.ts'

const places = ['here', 'near', 'middle', 'far', 'target'] as const
export type ChainPlace = (typeof places)[number]

export type RouteChain = {
  target: Readonly<Record<4 | 6, string>>
  /** Addresses of the routers, and of the target, in their order. */
  hops: Readonly<Record<4 | 6, readonly string[]>>
  /** Words that run a program there. */
  at: (place: ChainPlace) => readonly string[]
  /** Adds a route there. */
  route: (place: ChainPlace, ...words: string[]) => void
  /** Sets a parameter of the kernel there, such as `net.ipv4.ip_forward=1`. */
  set: (place: ChainPlace, ...parameters: string[]) => void
}

/** Answers of routers are not limited in number, and every group may ping. `number` is a part of all addresses. */
export function routeChain(number: number): RouteChain {
  const names = new Map(places.map((place) => [place, addNamespace(`-${place}`)]))
  const nameOf = (place: ChainPlace): string => names.get(place) ?? ''
  const set = (place: ChainPlace, ...parameters: string[]): void => {
    execFileSync('ip', ['netns', 'exec', nameOf(place), 'sysctl', '-qw', ...parameters])
  }
  const four = (link: number, side: number): string => `10.${number}.${link}.${side}`
  const six = (link: number, side: number): string => `fd00:${number}:${link + 1}::${side}`
  for (const [link, place] of places.entries()) {
    set(place, ...limits)
    const next = places[link + 1]
    if (next !== undefined) join([nameOf(place), nameOf(next)], { link, four, six })
  }
  const route = (place: ChainPlace, ...words: string[]): void => ip('-n', nameOf(place), 'route', 'add', ...words)
  for (const [link, place] of places.entries()) {
    for (let far = link + 1; far < places.length - 1; far += 1) {
      route(place, `10.${number}.${far}.0/24`, 'via', four(link, 2))
      route(place, `${six(far, 0).slice(0, -1)}/64`, 'via', six(link, 2))
    }
    for (let near = 0; near < link - 1; near += 1) {
      route(place, `10.${number}.${near}.0/24`, 'via', four(link - 1, 1))
      route(place, `${six(near, 0).slice(0, -1)}/64`, 'via', six(link - 1, 1))
    }
  }
  const links = [0, 1, 2, 3]
  return {
    target: { 4: four(3, 2), 6: six(3, 2) },
    hops: { 4: links.map((link) => four(link, 2)), 6: links.map((link) => six(link, 2)) },
    at: (place) => ['ip', 'netns', 'exec', nameOf(place)],
    route,
    set,
  }
}

const limits = [
  'net.ipv4.ip_forward=1',
  'net.ipv6.conf.all.forwarding=1',
  'net.ipv4.icmp_ratemask=0',
  'net.ipv6.icmp.ratelimit=0',
  'net.ipv4.ping_group_range=0 2147483647',
]

type Addresses = {
  link: number
  four: (link: number, side: number) => string
  six: (link: number, side: number) => string
}

function join([near, far]: [string, string], { link, four, six }: Addresses): void {
  const [left, right] = [`pl${link}-${process.pid}`, `pr${link}-${process.pid}`]
  ip('link', 'add', left, 'netns', near, 'type', 'veth', 'peer', 'name', right, 'netns', far)
  for (const [name, device, side] of [
    [near, left, 1],
    [far, right, 2],
  ] as const) {
    ip('-n', name, 'addr', 'add', `${four(link, side)}/24`, 'dev', device)
    ip('-n', name, 'addr', 'add', `${six(link, side)}/64`, 'dev', device, 'nodad')
    ip('-n', name, 'link', 'set', device, 'up')
  }
}
