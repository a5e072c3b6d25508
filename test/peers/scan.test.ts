// Scans of real software: what it shows of itself is recognised, by name and version.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, describe, it } from 'node:test'
import express from 'express'
import { scanWebsite } from '#fingerprints/scan.ts'
import { openNet } from '../support/net.ts'
import { skipReason } from '../support/peers/daemon.ts'
import { startNginx } from '../support/peers/nginx.ts'
import { startApache, startLighttpd, startPhp } from '../support/peers/web-servers.ts'
import { portOf } from '../support/raw-server.ts'

async function softwareAt(port: number): Promise<Record<string, string | null>> {
  const target = { url: new URL(`http://127.0.0.1:${port}/`), headers: {} }
  const outcome = await scanWebsite(target, openNet, AbortSignal.timeout(60_000))
  if (outcome.type === 'failed') throw new Error(outcome.problem)
  return Object.fromEntries(outcome.software.map(({ product, version }) => [product, version]))
}

/** The version that a program prints, on either output. */
function versionOf(program: string, flag: string, pattern: RegExp): string {
  const said = execFileSync('/bin/sh', ['-c', `${program} ${flag} 2>&1`], { encoding: 'utf8', timeout: 10_000 })
  return pattern.exec(said)?.[1] ?? assert.fail(said)
}

const wordpress = {
  'index.php': `<?php setcookie('wordpress_test_cookie', '1'); ?><!doctype html><html><head>
<meta name="generator" content="WordPress 6.5.2" />
<link rel='stylesheet' href='/wp-content/themes/twentytwentyfour/style.css?ver=1.1' />
<script src='/wp-includes/js/jquery/jquery.min.js?ver=3.7.1'></script>
<script src='/wp-content/plugins/contact-form-7/includes/js/index.js?ver=5.9.3'></script>
<script src='/wp-content/plugins/hello-dolly/hello.js?ver=6.5.2'></script>
</head><body></body></html>`,
  'wp-content/plugins/hello-dolly/readme.txt': '=== Hello Dolly ===\nStable tag: 1.7.2\n',
  'robots.txt': 'User-agent: *\nDisallow: /wp-admin/\n',
}

describe('a scan of real software', () => {
  it('recognises nginx', { skip: skipReason(['nginx']) }, async () => {
    const [port = 0] = await startNginx([{}])
    assert.deepEqual(await softwareAt(port), { nginx: versionOf('nginx', '-v', /nginx\/([\d.]+)/) })
  })

  it(
    'recognises Apache on Debian, and jQuery in a file whose address says nothing',
    {
      skip: skipReason(['apache2']),
    },
    async () => {
      const port = await startApache({
        'index.html': '<script src="/js/lib.js"></script><script src="/js/jquery-1.12.4.min.js"></script>',
        'js/lib.js': '/*!\n  * Bootstrap v4.3.1 (https://getbootstrap.com/)\n  */',
      })
      assert.deepEqual(await softwareAt(port), {
        'apache-http-server': versionOf('apache2', '-v', /Apache\/([\d.]+)/),
        debian: null,
        'npm:bootstrap': '4.3.1',
        'npm:jquery': '1.12.4',
      })
    },
  )

  it('recognises lighttpd', { skip: skipReason(['lighttpd']) }, async () => {
    const port = await startLighttpd({ 'index.html': 'hello' })
    assert.deepEqual(await softwareAt(port), { lighttpd: versionOf('lighttpd', '-v', /lighttpd\/([\d.]+)/) })
  })

  it('recognises PHP with a WordPress, its plugins and its theme', { skip: skipReason(['php']) }, async () => {
    const port = await startPhp(wordpress)
    assert.deepEqual(await softwareAt(port), {
      php: versionOf('php', '-v', /PHP ([\d.]+)/),
      wordpress: '6.5.2',
      'wp-plugin:contact-form-7': '5.9.3',
      'wp-plugin:hello-dolly': '1.7.2',
      'wp-theme:twentytwentyfour': '1.1',
      'npm:jquery': '3.7.1',
    })
  })

  it('recognises Express', async () => {
    const app = express()
    app.get('/', (_request, response) => {
      response.send('hello')
    })
    const server = createServer(app).listen(0, '127.0.0.1')
    after(() => {
      server.closeAllConnections()
      server.close()
    })
    await once(server, 'listening')
    assert.deepEqual(await softwareAt(portOf(server)), { express: null })
  })
})
