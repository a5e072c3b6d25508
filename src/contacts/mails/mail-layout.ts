import { type Wording, linksOf } from '#contacts/wording/wording.ts'

export type MailContent = Omit<Wording, 'acknowledge'> & {
  /** Shown as a button, before the link. */
  acknowledge?: Wording['acknowledge']
  footer: { text: string; label: string; url: string } | null
  /** Above the headline. */
  logo?: MailLogo | null
  /** A BCP 47 tag; English where it is left out. */
  language?: string
}

/** A picture at a public address, which mail programs fetch; `width` and `height` are its own. */
export type MailLogo = { url: string; width: number; height: number; alt: string }

const colours = { bad: '#d33a3a', warning: '#c98a1b', good: '#2c9a5b', plain: '#7a7f87' } as const

export function mailText({ lead, facts, link, footer, acknowledge = null, runbook = null }: MailContent): string {
  const blocks = [
    lead,
    facts.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    linksOf({ acknowledge, link, runbook })
      .map(({ label, url }) => `${label}: ${url}`)
      .join('\n'),
    footer === null ? '' : `-- \n${footer.text} ${footer.label}: ${footer.url}`,
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

/** No images but a logo, no backgrounds, no text colours but the accent's: readable on light and dark alike. */
export function mailHtml(content: MailContent): string {
  const { tone, headline, lead, facts, link, footer, acknowledge = null, runbook = null, logo = null } = content
  const { language = 'en' } = content
  return [
    '<!doctype html>',
    `<html lang="${language}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
    `<title>${escapeHtml(headline)}</title></head>`,
    '<body style="margin:0;padding:24px;font-family:-apple-system,\'Segoe UI\',Roboto,Arial,sans-serif;font-size:16px;line-height:1.5">',
    `<div style="max-width:560px;margin:0 auto;border-left:4px solid ${colours[tone]};padding-left:16px">`,
    logo === null ? '' : image(logo),
    `<h1 style="margin:0 0 8px;font-size:20px;line-height:1.3">${escapeHtml(headline)}</h1>`,
    `<p style="margin:0 0 16px;white-space:pre-line">${escapeHtml(lead)}</p>`,
    facts.length === 0
      ? ''
      : `<table role="presentation" style="border-collapse:collapse;margin:0 0 16px">${rows(facts)}</table>`,
    acknowledge === null ? '' : `<p style="margin:0 0 16px">${button(acknowledge)}</p>`,
    link === null ? '' : `<p style="margin:0 0 16px">${anchor(link)}</p>`,
    runbook === null ? '' : `<p style="margin:0 0 16px">${button(runbook)}</p>`,
    '</div>',
    footer === null
      ? ''
      : `<p style="max-width:560px;margin:24px auto 0;font-size:13px;opacity:0.75">${escapeHtml(footer.text)} ${anchor(footer)}</p>`,
    '</body></html>',
  ]
    .filter((line) => line !== '')
    .join('\n')
}

function rows(facts: Wording['facts']): string {
  return facts
    .map(
      ({ label, value }) =>
        `<tr><td style="padding:2px 16px 2px 0;vertical-align:top;opacity:0.75;white-space:nowrap">${escapeHtml(label)}</td>` +
        `<td style="padding:2px 0;word-break:break-word">${escapeHtml(value)}</td></tr>`,
    )
    .join('')
}

const logoBox = { width: 200, height: 48 }

/** Some mail programs heed nothing but the attributes. */
function image({ url, width, height, alt }: MailLogo): string {
  const scale = Math.min(1, logoBox.width / width, logoBox.height / height)
  const size = `width="${Math.max(1, Math.round(width * scale))}" height="${Math.max(1, Math.round(height * scale))}"`
  return `<p style="margin:0 0 16px"><img src="${escapeHtml(url)}" alt="${escapeHtml(alt)}" ${size} style="border:0"></p>`
}

/** The border takes the text's own colour, so that it is seen on light and on dark. */
function button({ label, url }: { label: string; url: string }): string {
  const style = 'display:inline-block;padding:8px 16px;border:1px solid;border-radius:8px;text-decoration:none'
  return `<a href="${escapeHtml(url)}" style="${style}">${escapeHtml(label)}</a>`
}

function anchor({ label, url }: { label: string; url: string }): string {
  return `<a href="${escapeHtml(url)}">${escapeHtml(label)}</a>`
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
