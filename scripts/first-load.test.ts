import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { before, describe, it } from 'node:test'
import { pageModules } from '#console/console-pages.ts'
import { consoleBuild, describeFirstLoad, firstLoadOf } from './first-load.ts'

const mostBytes = 150_000

describe('what a browser loads first', () => {
  // Nothing is done where the build is of the sources as they are, as after `npm ci`.
  before(() => void execFileSync(process.execPath, [pathOf('./build-web.ts')], { timeout: 120_000 }), {
    timeout: 120_000,
  })

  for (const path of ['/monitors', '/monitors/:id', '/sign-in'])
    it(`is less than 150 kB at ${path}`, async () => {
      const load = await firstLoadOf(path, consoleBuild)
      assert.ok(load.brotliBytes < mostBytes, describeFirstLoad(load))
      assert.ok(load.parts.some(([name]) => name === 'react-dom'))
      assert.ok(load.parts.some(([name]) => name === pageModules.get(path)))
    })

  it('has neither the validator nor the parser of texts', async () => {
    for (const path of pageModules.keys()) {
      const { parts } = await firstLoadOf(path, consoleBuild)
      assert.deepEqual(
        parts.map(([name]) => name).filter((name) => name === 'zod' || name.startsWith('@messageformat/')),
        [],
        path,
      )
    }
  })

  it('names the scripts of the page that the routes show there', () => {
    const sources = ['door-routes', 'shell-routes'].map((name) =>
      readFileSync(pathOf(`../web/src/routes/${name}.ts`), 'utf8'),
    )
    const routes = sources.join('\n').split('createRoute(')
    for (const [path, module] of pageModules) {
      // The first page leads to the list of monitors.
      const shown = path === '/' ? '/monitors' : path.replace(':', '$')
      const route = routes.find((text) => text.includes(`path: '${shown}'`)) ?? ''
      const file = module.replace('src/', '../')
      const isNamed = route.includes(`'${file}'`) || isLoader(sources, { route, file })
      assert.ok(isNamed, `${path} is not shown by ${module}`)
    }
  })
})

/** Whether a route loads the file by a name of its own, as `const signIn = () => import('…')`. */
function isLoader(sources: readonly string[], { route, file }: { route: string; file: string }): boolean {
  const [, name = ''] = /lazyRouteComponent\((\w+),/.exec(route) ?? []
  return name !== '' && sources.some((text) => text.includes(`const ${name} = () => import('${file}')`))
}

function pathOf(script: string): string {
  return fileURLToPath(new URL(script, import.meta.url))
}
