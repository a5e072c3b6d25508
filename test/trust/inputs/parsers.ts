// Every parser of outside text: how it is called, the one error that it may throw, and texts that it reads.
import {
  readClosing as readAmqpClosing,
  readQueue,
  readReason,
  readStart,
  readTexts,
  readTune,
} from '#kinds/broker/amqp-methods.ts'
import { readCodes, readPublication } from '#kinds/broker/mqtt-packets.ts'
import { firstText, readGreeting, readMysqlError } from '#kinds/database/mysql-packets.ts'
import { firstColumn, readFields } from '#kinds/database/postgresql-messages.ts'
import { readRedisAnswer, readRedisInfo } from '#kinds/database/resp.ts'
import { readElements } from '#kinds/ber.ts'
import { readGrpcStatus, readHealthResponse } from '#kinds/grpc/grpc-messages.ts'
import { encodeFilter, FilterError } from '#kinds/ldap/ldap-filter.ts'
import { readEntry, readMessage, readResult } from '#kinds/ldap/ldap-messages.ts'
import { parseObjectId, readObjectId } from '#kinds/snmp/object-id.ts'
import { readCommunityMessage, readPdu, readValue } from '#kinds/snmp/snmp-message.ts'
import { noUser, readScopedPdu, readUserMessage } from '#kinds/snmp/usm.ts'
import { readClosing, readExtendedLength, readFrameHead } from '#kinds/websocket/websocket-frames.ts'
import { openingProblem, readOpeningAnswer } from '#kinds/websocket/websocket-handshake.ts'
import { AdvisoryError } from '../../../src/advisories/advisory-error.ts'
import { readCve } from '../../../src/advisories/cve.ts'
import { readNvd } from '../../../src/advisories/nvd.ts'
import { readOsv } from '../../../src/advisories/osv.ts'
import { versionOrder, versionSchemes } from '../../../src/advisories/version-order.ts'
import { parseForm } from '../../../src/agents/form.ts'
import { readScript } from '../../../src/fingerprints/page-software.ts'
import { readRobots } from '../../../src/fingerprints/robots.ts'
import { postMortemHtml } from '../../../src/status-site/post-mortem.ts'
import {
  changeCodec,
  CodecError,
  configurationsCodec,
  decodeAssignments,
  decodeResults,
  idsCodec,
  presenceCodec,
} from '#bus/codec.ts'
import { resultsOf } from '#bus/nats-results.ts'
import { onCallSources, OnCallImportError } from '#core/contacts/on-call-import.ts'
import { readOnCall } from '#core/contacts/on-call-import-schedules.ts'
import { readAddresses } from '#core/imports/addresses.ts'
import { readBlackbox } from '#core/imports/blackbox/blackbox.ts'
import { readCsv } from '#core/imports/csv.ts'
import { readGatus } from '#core/imports/gatus/gatus.ts'
import { readHar } from '#core/imports/har/har.ts'
import { readHealthchecks } from '#core/imports/healthchecks.ts'
import { ImportError } from '#core/imports/imported.ts'
import { readKumaBackup } from '#core/imports/kuma/kuma.ts'
import { readOpenapi } from '#core/imports/openapi/openapi.ts'
import { readPostman } from '#core/imports/postman/postman.ts'
import { readTestScript } from '#core/imports/postman/postman-scripts.ts'
import { readUptimeRobot } from '#core/imports/uptimerobot/uptimerobot.ts'
import { parseBoundedJson } from '#core/language/bounded-json.ts'
import { parseDomainName } from '#core/language/domain-name.ts'
import { AppError } from '#core/language/error.ts'
import { parseHostPort } from '#core/language/host-port.ts'
import { readMetric } from '#core/monitors/metric.ts'
import { maintenanceInputSchema, occurrencesOf } from '#core/maintenance.ts'
import { readUserCode } from '#core/people/claim.ts'
import { ProjectError } from '#core/projects/project-error.ts'
import { readYaml } from '#core/projects/yaml-tree.ts'
import { readPageImage } from '#core/status-pages/page-image.ts'
import { readJsonReport } from '#kinds/cloud/cloud-report.ts'
import { FeedError, parseFeed } from '#kinds/cloud/news-feed.ts'
import { parseRdapDomain, parseRdapServers } from '#kinds/domain/rdap.ts'
import { parseWhoisDate } from '#kinds/domain/whois-date.ts'
import { readWhois, whoisReferral } from '#kinds/domain/whois-text.ts'
import { parseDkim } from '#kinds/email-auth/dkim.ts'
import { parseDmarc } from '#kinds/email-auth/dmarc.ts'
import { parseSpf } from '#kinds/email-auth/spf-record.ts'
import { readBedrockReply } from '#kinds/game/game-bedrock.ts'
import { readJavaReply } from '#kinds/game/game-java.ts'
import { GameReplyError } from '#kinds/game/game-status.ts'
import { readMppOffers } from '#kinds/paid/mpp-offers.ts'
import { readX402Offers } from '#kinds/paid/x402-offers.ts'
import { readable } from '#kinds/readable.ts'
import { parseRepositoryTarget } from '#kinds/repository/repository-target.ts'
import { manifestFormats } from '#manifests/file-names.ts'
import { readManifest } from '#manifests/index.ts'
import { ManifestError, type ReadableFormat } from '#manifests/manifest.ts'
import { parseTypedYaml } from '#manifests/yaml.ts'
import { decodeAnswer } from '#net/dns/dns-message.ts'
import { parseHosts } from '#net/dial/hosts-file.ts'
import { ProviderTrouble } from '#identity/provider-fetch.ts'
import { readProviderMetadata } from '#identity/saml/saml-metadata.ts'
import { assertPlainResponse } from '#identity/saml/saml-shape.ts'
import { parseXml } from '#identity/saml/saml-xml.ts'
import { readAdvertisement, readRefList } from '#net/git/git-advertisement.ts'
import { readFpingLine } from '#net/ping/icmp-fping.ts'
import { readEchoReply } from '#net/ping/icmp-packet.ts'
import { readAnswer, readRequest } from '#net/route/route-packet.ts'
import { FrameError, FrameReader } from '#prober/frames.ts'
import { fromProbers } from '#prober/process-orders.ts'
import { processWordSchema } from '#prober/process-words.ts'
import { seedTexts } from './parser-seeds.ts'

export type Parser = {
  name: string
  parse: (bytes: Buffer) => unknown
  /** May be thrown, and nothing else. */
  own: readonly (abstract new (...given: never[]) => Error)[]
  seeds: readonly string[]
}

type Own = Parser['own']
const now = new Date('2026-11-27T12:00:00Z')

function ofText(name: string, parse: (text: string) => unknown, own: Own = []): Parser {
  return { name, own, seeds: seedTexts(name), parse: (bytes) => parse(bytes.toString('utf8')) }
}

/** What is no JSON is refused before it comes to these. */
function ofJson(name: string, parse: (value: unknown) => unknown, own: Own = []): Parser {
  return ofText(
    name,
    (text) => {
      const read = parseBoundedJson(text)
      return read.type === 'value' ? parse(read.value) : null
    },
    own,
  )
}

function ofBytes(name: string, parse: (bytes: Buffer) => unknown, own: Own = []): Parser {
  return { name, own, seeds: seedTexts(name), parse }
}

const formats: readonly ReadableFormat[] = [...manifestFormats, 'plain']

export const parsers: readonly Parser[] = [
  ...formats.map((format) =>
    ofText(`manifest ${format}`, (text) => readManifest(format, text, { resolve: () => null }), [ManifestError]),
  ),
  ...versionSchemes.map((scheme) => ofText(`version ${scheme}`, (text) => versionOrder(scheme).parse(text))),
  ofJson('osv', readOsv, [AdvisoryError]),
  ofJson('cve', readCve, [AdvisoryError]),
  ofJson('nvd', readNvd, [AdvisoryError]),
  ofText('robots', (text) => readRobots(text, 'perigee')),
  ofText('script', (text) => readScript(new URL('https://example.com/jquery-3.1.0.min.js'), text)),
  ofText('feed', parseFeed, [FeedError]),
  ofJson('cloud report', (value) => readJsonReport(value, now.getTime())),
  ofText('x402 offers', readX402Offers),
  ofText('mpp offers', readMppOffers),
  ofText('saml metadata', readProviderMetadata, [ProviderTrouble]),
  ofText('saml response', (text) => assertPlainResponse(parseXml(text), 'https://a.example/acs'), [ProviderTrouble]),
  ofText('rdap domain', parseRdapDomain),
  ofText('rdap servers', parseRdapServers),
  ofText('whois', (text) => [readWhois(text, 'example.com'), whoisReferral(text)]),
  ofText('whois date', (text) => parseWhoisDate(text)),
  ofText('dkim', parseDkim),
  ofText('dmarc', (text) => parseDmarc(text, true)),
  ofText('spf', parseSpf),
  ofBytes('bedrock', readBedrockReply, [GameReplyError]),
  ofBytes('java', readJavaReply, [GameReplyError]),
  ofBytes('dns', (bytes) =>
    decodeAnswer(bytes, { name: 'example.com', type: 'A' }, bytes.length > 1 ? bytes.readUInt16BE(0) : 0),
  ),
  ofBytes('dns signed', (bytes) =>
    decodeAnswer(
      bytes,
      { name: 'example.com', type: 'A', isSigned: true },
      bytes.length > 1 ? bytes.readUInt16BE(0) : 0,
    ),
  ),
  ofBytes('git refs', (bytes) => [readAdvertisement(bytes), readRefList(bytes)]),
  ofBytes('icmp', (bytes) => [readEchoReply(4, bytes), readEchoReply(6, bytes)]),
  ofBytes('icmp errors', (bytes) => [readAnswer(4, bytes), readAnswer(6, bytes), readRequest(4, bytes)]),
  ofText('fping', readFpingLine),
  ofText('hosts', parseHosts),
  ofBytes('postgresql error', readFields),
  ofBytes('postgresql row', firstColumn),
  ofBytes('mqtt publication', (bytes) => [readPublication('5', 2, bytes), readPublication('3.1.1', 0, bytes)]),
  ofBytes('mqtt codes', (bytes) => [readCodes('5', bytes), readCodes('3.1.1', bytes)]),
  ofText('number by call', (text) => [readMetric(text, ''), readMetric(undefined, text)]),
  ofBytes('amqp start', readStart),
  ofBytes('amqp table', readTexts),
  ofBytes('amqp numbers', (bytes) => [readTune(bytes), readAmqpClosing(bytes), readReason(bytes), readQueue(bytes)]),
  ofBytes('mysql greeting', readGreeting),
  ofBytes('mysql row', (bytes) => [firstText(bytes), readMysqlError(bytes)]),
  ofBytes('ldap message', (bytes) => {
    const operation = { tag: 0, content: bytes }
    return [readElements(bytes), readMessage(bytes), readResult(operation), readEntry(operation)]
  }),
  ofText('ldap filter', encodeFilter, [FilterError]),
  ofBytes('snmp message', (bytes) => {
    const message = readUserMessage(bytes)
    const element = { tag: bytes[0] ?? 0, content: bytes.subarray(1) }
    return [
      readCommunityMessage(bytes),
      message === null ? null : readScopedPdu(message, noUser),
      readPdu(element),
      readValue(element),
      readObjectId(bytes),
    ]
  }),
  ofText('object id', parseObjectId),
  ofText('redis answer', readRedisAnswer),
  ofText('redis info', readRedisInfo),
  ofBytes('grpc answer', readHealthResponse),
  ofText('grpc status', (text) => {
    const [code = '', message = ''] = text.split(' ')
    return readGrpcStatus({ 'grpc-status': code, 'grpc-message': message }, {})
  }),
  ofText('websocket answer', (text) => {
    const answer = readOpeningAnswer(text.split('\r\n'))
    return answer === null ? null : openingProblem(answer, { key: 'a', subprotocol: 'b' })
  }),
  ofBytes('websocket frame', (bytes) => [readFrameHead(bytes), readExtendedLength(bytes), readClosing(bytes)]),
  ofText('readable', readable),
  ofText('repository', parseRepositoryTarget),
  ofText('host port', parseHostPort),
  ofText('domain name', parseDomainName),
  ofText('user code', readUserCode),
  ofText('form', parseForm, [AppError]),
  ofText('cron', readCron),
  ofText('markdown', postMortemHtml),
  ofBytes('logo', (bytes) => readPageImage('logo', new Uint8Array(bytes))),
  ofText('project', (text) => readYaml({ file: 'perigee.yaml', text }), [ProjectError]),
  ...onCallSources.map((source) =>
    ofText(`on-call ${source}`, (text) => readOnCall(source, text, now), [OnCallImportError]),
  ),
  ofText('kuma', (text) => readKumaBackup(text, now), [ImportError]),
  ofText('uptimerobot', (text) => readUptimeRobot(text, now), [ImportError]),
  ofText('healthchecks', (text) => readHealthchecks(text), [ImportError]),
  ofText('har', (text) => readHar(text, (host) => host), [ImportError]),
  ofText('postman', (text) => readPostman([text]), [ImportError]),
  ofText('postman script', readTestScript),
  ofJson('openapi', (value) => readOpenapi([value]), [ImportError]),
  ofText('openapi yaml', (text) => readOpenapi(parseTypedYaml(text)), [ImportError, ManifestError]),
  ofText('addresses', readAddresses, [ImportError]),
  ofText('csv', readCsv, [ImportError]),
  ofJson('gatus', (value) => readGatus([value]), [ImportError]),
  ofJson('blackbox', (value) => readBlackbox([value]), [ImportError]),
  ofBytes('bus results', decodeResults, [CodecError]),
  ofBytes('bus results of a location', (bytes) => resultsOf('results.fra.4', bytes), [CodecError]),
  ofBytes('bus assignments', decodeAssignments, [CodecError]),
  ofBytes('bus presence', presenceCodec.decode, [CodecError]),
  ofBytes('bus change', changeCodec.decode, [CodecError]),
  ofBytes('bus request', idsCodec.decode, [CodecError]),
  ofBytes('bus configurations', configurationsCodec.decode, [CodecError]),
  ofBytes('frames', (bytes) => new FrameReader(fromProbers).take(bytes), [FrameError]),
  ofJson('words of probers', (word) => processWordSchema.safeParse(word)),
]

/** What the schema takes has to be read to its end. */
function readCron(expression: string): unknown {
  const plan = { name: 'a', schedule: { type: 'cron', expression, duration_minutes: 30 }, time_zone: 'Europe/Sofia' }
  const { success, data } = maintenanceInputSchema.safeParse(plan)
  if (!success) return null
  const until = new Date(now.getTime() + 35 * 86_400_000)
  return occurrencesOf(data.schedule, { timeZone: data.time_zone, from: now, until })
}
