import type { ProductKey } from '#core/software/software-name.ts'

/** A distribution is a system that consists of packages from other projects. */
export function isDistribution(product: ProductKey): boolean {
  const [, vendor = '', name = ''] = product.split(':')
  const products = distributions.get(vendor)
  return products !== undefined && products.test(name)
}

const all = /./
/** By the vendor in their CPEs. */
const distributions: ReadonlyMap<string, RegExp> = new Map([
  ['almalinux', all],
  ['alpinelinux', all],
  ['amazon', /^linux/],
  ['archlinux', all],
  ['canonical', /^ubuntu/],
  ['centos', all],
  ['debian', /^debian_linux$|^linux$/],
  ['fedoraproject', /^fedora|^extra_packages/],
  ['gentoo', /^linux$/],
  ['mageia', all],
  ['mandriva', /^linux|server$/],
  ['novell', /suse/],
  ['opensuse', /^opensuse$|^leap|^tumbleweed|^backports/],
  ['oracle', /^linux$/],
  ['redhat', /^enterprise_(?:linux|mrg)|^linux/],
  ['rocky', all],
  ['slackware', all],
  ['suse', /linux/],
])
