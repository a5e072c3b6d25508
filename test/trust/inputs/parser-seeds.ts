import { openapiExample } from '../../support/openapi-example.ts'

// Texts from which inputs of a parser are made. One without its own gets those of all.
const json =
  '{"name":"a","version":"1.2.3","dependencies":{"left-pad":"^1.0.0"},"list":[{"id":1,"url":"https://example.com"}]}'
const common = [
  json,
  'a: b\nc:\n  - d\n',
  '<a b="c"><d>e</d></a>',
  'a = "b"\n[c]\nd = 1\n',
  'line one\nline two: 3\r\n',
  '1.2.3',
]

const busMonitor = '9fb69823-eecf-4b04-81a4-fc97a5730844'
const busResults = `[["${busMonitor}",3,1763744400123456,"fra",1,500,12,"HTTP status 500",[1,2,null,3,4],{"a":["b"]},{"certificate":{"host":"a","issuer":"b","notBefore":"2026-01-01T00:00:00Z","notAfter":"2027-01-01T00:00:00Z"}},null,"203.0.113.7"],["${busMonitor}",3,1763744400123456,"fra"]]`

const own: Readonly<Record<string, readonly string[]>> = {
  'manifest package.json': ['{"dependencies":{"express":"4.18.2","@a/b":"npm:c@1.0.0"}}'],
  'manifest package-lock.json': ['{"lockfileVersion":3,"packages":{"":{},"node_modules/a":{"version":"1.0.0"}}}'],
  'manifest yarn.lock': [
    '# yarn lockfile v1\n\n"a@^1.0.0", a@1:\n  version "1.0.1"\n',
    '__metadata:\n  version: 6\n\n"a@npm:^1.0.0":\n  version: 1.0.1\n',
  ],
  'manifest pnpm-lock.yaml': ["lockfileVersion: '9.0'\npackages:\n  'a@1.0.0':\n    resolution: {integrity: x}\n"],
  'manifest composer.lock': ['{"packages":[{"name":"a/b","version":"v1.0.0"}]}'],
  'manifest requirements.txt': ['flask==2.0.1 ; python_version > "3"\n-r other.txt\nrequests[security]>=2 # c\n'],
  'manifest poetry.lock': ['[[package]]\nname = "a"\nversion = "1.0"\n'],
  'manifest Cargo.lock': ['version = 3\n[[package]]\nname = "a"\nversion = "1.0.0"\n'],
  'manifest Gemfile.lock': ['GEM\n  remote: https://rubygems.org/\n  specs:\n    rails (7.0.1)\n      a (= 1)\n'],
  'manifest go.mod': [
    'module a\n\ngo 1.22\n\nrequire (\n\tb.com/c v1.0.0 // indirect\n)\nreplace b.com/c => d.com/e v1.2.0\n',
  ],
  'manifest pom.xml': [
    '<project><properties><v>1</v></properties><dependencies><dependency><groupId>a</groupId><artifactId>b</artifactId><version>${v}</version></dependency></dependencies></project>',
  ],
  'manifest .csproj': ['<Project><ItemGroup><PackageReference Include="A" Version="1.0.0" /></ItemGroup></Project>'],
  'manifest Dockerfile': ['ARG V=1\nFROM --platform=x node:${V}-slim@sha256:aa AS b\nRUN <<EOF\nx\nEOF\nFROM b\n'],
  'manifest docker-compose.yml': ['services:\n  web:\n    image: "nginx:${V:-1.25}"\n'],
  'saml metadata': [
    '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="https://a.example"><IDPSSODescriptor><KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>MIIB</ds:X509Certificate></ds:X509Data></ds:KeyInfo></KeyDescriptor><SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://a.example/sso"/></IDPSSODescriptor></EntityDescriptor>',
  ],
  'saml response': [
    '<p:Response xmlns:p="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:a="urn:oasis:names:tc:SAML:2.0:assertion" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" ID="_1" Destination="https://a.example/acs"><p:Status><p:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></p:Status><a:Assertion ID="_2"><a:Issuer>i</a:Issuer><ds:Signature><ds:SignedInfo><ds:SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/></ds:SignedInfo></ds:Signature></a:Assertion></p:Response>',
  ],
  'postgresql error': ['SFATAL\0C28P01\0Mpassword authentication failed\0\0'],
  'postgresql row': ['\0\u0001\0\0\0\u00021a', '\0\u0001\u00ff\u00ff\u00ff\u00ff'],
  'mqtt publication': ['\0\u0001a\0\u0001\0ok', '\0\u0001a\0ok'],
  'mqtt codes': ['\0\u0001\0\u0001', '\0\u0001\u0001'],
  'number by call': ['12.5', '{"value": 12.5}', 'value=-1e3'],
  'amqp start': ['\0\u0009\0\0\0\u000f\u0007productS\0\0\0\u0002ab\0\0\0\u0005PLAIN\0\0\0\u0005en_US'],
  'amqp table': ['\u0001at\u0001\u0001bF\0\0\0\u0003\u0001cV\u0001dS\0\0\0\u0001e', '\u0001aA\u00ff\u00ff\u00ff\u00ff'],
  'amqp numbers': [
    '\u0007\u00ff\0\u0002\0\0\0<',
    '\u0001\u0094\u0003abc\0\n\0\u0028',
    '\u0001q\0\0\0\u0002\0\0\0\u0001',
  ],
  'mysql greeting': [`\n8.4.3\0${'\u0001'.repeat(44)}mysql_native_password\0`],
  'mysql row': ['\u00021a', '\u00fb', '\u00ff\u0015\u0004#HY000x'],
  'ldap message': [
    '\u0002\u0001\u0001a\u0007\n\u0001\0\u0004\0\u0004\0',
    '\u0004\u0001a0\u00070\u0005\u0004\u0001b1\0',
  ],
  'ldap filter': ['(&(objectClass=person)(|(cn=a*b)(!(uid:dn:2.5.13.2:=x)))(age>=5)(cn=\\2a))'],
  'snmp message': [
    '0\u001e\u0002\u0001\u0001\u0004\u0001ab\u0016\u0002\u0001\u0007\u0002\u0001\u0000\u0002\u0001\u00000\u000b0\u0009\u0006\u0003+\u0006\u0001\u0004\u0002ok',
    '0C\u0002\u0001\u00030\u000e\u0002\u0001\u0007\u0002\u0003\u0000\u007fc\u0004\u0001\u0004\u0002\u0001\u0003\u0004\u00100\u000e\u0004\u0000\u0002\u0001\u0000\u0002\u0001\u0000\u0004\u0000\u0004\u0000\u0004\u00000\u001c\u0004\u0000\u0004\u0000b\u0016\u0002\u0001\u0007\u0002\u0001\u0000\u0002\u0001\u00000\u000b0\u0009\u0006\u0003+\u0006\u0001\u0004\u0002ok',
  ],
  'object id': ['1.3.6.1.2.1.1.3.0', '.2.999.4294967295'],
  'redis answer': ['+PONG', '-WRONGPASS invalid', ':3', '$12', '$-1', '*2'],
  'redis info': ['# Server\r\nredis_version:7.0.15\r\nrole:master\r\nused_memory:2500000\r\n'],
  'grpc answer': ['\0\0\0\0\u0002\u0008\u0001', '\0\0\0\0\u0006\u0012\u0002ab\u0008\u0002'],
  'grpc status': ['0', '14 try%20later', '5 100%'],
  'websocket answer': ['HTTP/1.1 101 a\r\nUpgrade: websocket\r\nConnection: a, Upgrade\r\nSec-WebSocket-Accept: a='],
  'websocket frame': ['\u0081\u007e\0\u0005ready', '\u0088\u0002\u0003\u00e8'],
  dkim: ['v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCB'],
  dmarc: ['v=DMARC1; p=reject; pct=50; rua=mailto:a@example.com'],
  spf: ['v=spf1 include:_spf.example.com a:b/24//64 ip4:1.2.3.4/8 exists:%{ir}.%{v}._spf.%{d2} redirect=x -all'],
  whois: [
    'Domain Name: EXAMPLE.COM\nRegistry Expiry Date: 2027-08-13T04:00:00Z\nRegistrar: X\nDomain Status: ok\nrefer: whois.example\n',
  ],
  'whois date': ['2027-08-13T04:00:00Z', '13-aug-2027', '13.8.2027 04:00:00 (UTC+3)', '20270813', 'before Aug-1996'],
  'rdap domain': [
    '{"objectClassName":"domain","ldhName":"example.com","events":[{"eventAction":"expiration","eventDate":"2027-08-13T04:00:00Z"}],"status":["active"],"entities":[{"roles":["registrar"],"vcardArray":["vcard",[["fn",{},"text","X"]]]}]}',
  ],
  'rdap servers': ['{"version":"1.0","services":[[["com","net"],["https://rdap.example/"]]]}'],
  feed: [
    '<rss version="2.0"><channel><title>a</title><item><title>b</title><pubDate>Fri, 27 Nov 2026 10:00:00 GMT</pubDate><description><![CDATA[c]]>&amp;&#x41;</description></item></channel></rss>',
    '<feed xmlns="http://www.w3.org/2005/Atom"><entry><title type="html">a</title><updated>2026-11-27T10:00:00Z</updated></entry></feed>',
  ],
  'cloud report': [
    '{"status":{"indicator":"none"},"incidents":[{"name":"a","status":"resolved","impact":"major","created_at":"2026-11-27T10:00:00Z","incident_updates":[]}]}',
    '[{"begin":"2026-05-01T10:00:00Z","external_desc":"x"}]',
  ],
  'x402 offers': [
    'eyJ4NDAyVmVyc2lvbiI6MiwicmVzb3VyY2UiOnsidXJsIjoiaHR0cHM6Ly9hcGkuZXhhbXBsZS8ifSwiYWNjZXB0cyI6W3sic2NoZW1lIjoiZXhhY3QiLCJuZXR3b3JrIjoiZWlwMTU1Ojg0NTMiLCJhc3NldCI6IjB4ODMzNTg5ZkNENmVEYjZFMDhmNGM3QzMyRDRmNzFiNTRiZEEwMjkxMyIsImFtb3VudCI6IjEwMDAwIiwicGF5VG8iOiIweDIwOTY5M0JjNmFmYzBDNTMyOGJBMzZGYUYwM0M1MTRFRjMxMjI4N0MiLCJtYXhUaW1lb3V0U2Vjb25kcyI6NjAsImV4dHJhIjp7Im5hbWUiOiJVU0QgQ29pbiIsInZlcnNpb24iOiIyIn19XX0=',
  ],
  'mpp offers': [
    'Bearer realm="a", Payment id="a", realm="b", method="chain", intent="charge", request="eyJhbW91bnQiOiIxMDAwMCIsImN1cnJlbmN5IjoiMHg4MzM1ODlmQ0Q2ZURiNkUwOGY0YzdDMzJENGY3MWI1NGJkQTAyOTEzIiwicmVjaXBpZW50IjoiMHgyMDk2OTNCYzZhZmMwQzUzMjhiQTM2RmFGMDNDNTE0RUYzMTIyODdDIiwibWV0aG9kRGV0YWlscyI6eyJjaGFpbklkIjo4NDUzLCJjcmVkZW50aWFsVHlwZXMiOlsiYXV0aG9yaXphdGlvbiJdLCJkZWNpbWFscyI6Nn19", expires="2026-11-28T00:00:00Z"',
  ],
  cron: ['0 3 * * 1', '*/5 0-4,8 1,15 JAN-MAR MON#2', '0 0 L * 5L', '59 23 31 12 7'],
  markdown: ['# Head\n\n- **bold** and https://example.com/(a)\n- b\n\n1. c\n\n`code`\n'],
  robots: ['User-agent: *\nDisallow: /a*b$\nAllow: /\nCrawl-delay: 5\n\nUser-agent: perigee\nDisallow:\n'],
  project: [
    'version: 1\nmonitors:\n  - &a {name: "Shop", url: https://example.com}\n  - <<: *a\n    notes: |\n      b\n',
  ],
  csv: ['a,"b ""c""",d\r\n1,2,3\n'],
  form: ['grant_type=a&assertion=b%20c+d'],
  kuma: [
    '{"version":"1.23.0","notificationList":[],"monitorList":[{"id":1,"name":"a","type":"http","url":"https://example.com","interval":60,"accepted_statuscodes":["200-299"],"notificationIDList":{}}]}',
  ],
  gatus: [
    '{"endpoints":[{"name":"a","url":"https://example.com","interval":"60s","conditions":["[STATUS] == 200","[BODY].a == b"],"alerts":[{"type":"slack"}]}]}',
  ],
  blackbox: ['{"modules":{"http_2xx":{"prober":"http","timeout":"5s","http":{"valid_status_codes":[200]}}}}'],
  har: [
    '{"log":{"pages":[{"title":"Shop"}],"entries":[{"startedDateTime":"2026-11-28T12:00:00Z","time":9,"_resourceType":"document","request":{"method":"GET","url":"https://a.example/?a=b","headers":[{"name":"accept","value":"*/*"}]},"response":{"status":200,"headers":[{"name":"x-id","value":"ab12cd34ef56gh"}],"content":{"mimeType":"text/html","text":"<input name=key value=q8Zr2LkV0pT5mXn1><meta name=b content=c>"},"redirectURL":""}},{"startedDateTime":"2026-11-28T12:00:01Z","time":9,"request":{"method":"POST","url":"https://a.example/b/ab12cd34ef56gh?token=x","headers":[{"name":"content-type","value":"application/x-www-form-urlencoded"},{"name":"authorization","value":"Bearer q8Zr2LkV0pT5mXn1"}],"bodySize":9,"postData":{"mimeType":"application/x-www-form-urlencoded","text":"key=q8Zr2LkV0pT5mXn1&password=c"}},"response":{"status":302,"content":{"mimeType":"application/json","text":"eyJhIjoiYWIxMmNkMzRlZjU2In0=","encoding":"base64"},"redirectURL":"/c"}}]}}',
  ],
  openapi: [
    '{"openapi":"3.1.0","servers":[{"url":"https://{a}.example","variables":{"a":{"default":"b"}}}],"security":[{"c":[]}],"paths":{"/d/{e}":{"parameters":[{"$ref":"#/components/parameters/e"}],"get":{"operationId":"f","tags":["g"],"parameters":[{"name":"h","in":"query","required":true,"schema":{"enum":[1]}}],"responses":{"200":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/i"}}}},"2XX":{"description":"j"}}}}},"components":{"parameters":{"e":{"name":"e","in":"path","required":true,"example":"k"}},"schemas":{"i":{"type":"object","nullable":true,"required":["l"],"properties":{"l":{"$ref":"#/components/schemas/i"},"m":{"minimum":1,"exclusiveMinimum":true}}}},"securitySchemes":{"c":{"type":"http","scheme":"bearer"}}}}',
  ],
  'openapi yaml': [openapiExample],
  postman: [
    '{"info":{"name":"a","schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},"variable":[{"key":"b","value":"https://a.example"}],"auth":{"type":"basic","basic":[{"key":"username","value":"{{c}}"}]},"item":[{"name":"d","item":[{"name":"e","event":[{"listen":"test","script":{"exec":["pm.environment.set(\\"f\\", pm.response.json().g[0])"]}}],"request":{"method":"POST","url":{"raw":"{{b}}/:h?i={{f}}","variable":[{"key":"h","value":"j"}]},"header":[{"key":"K","value":"l"}],"body":{"mode":"urlencoded","urlencoded":[{"key":"m","value":"{{n}}"}]}}},{"name":"o","request":{"url":{"host":["a","example"],"path":["p"],"query":[{"key":"q","value":"r"}]},"body":{"mode":"graphql","graphql":{"query":"{ a }","variables":"{}"}}}}]}]}',
  ],
  'postman script': [
    'const a = pm.response.json();\npm.test("b", () => { pm.response.to.have.status(200) });\npm.environment.set(\'c\', a.d[0]["e"]); // f\npm.expect(pm.response.code).to.be.oneOf([200, 201]);',
  ],
  healthchecks: [
    '{"checks":[{"name":"a","slug":"b","tags":"c d","grace":60,"schedule":"0 3 * * *","tz":"UTC","ping_url":"https://hc-ping.com/x"}]}',
  ],
  uptimerobot: [
    '{"stat":"ok","monitors":[{"id":1,"friendly_name":"a","url":"https://example.com","type":1,"interval":300,"status":2}]}',
  ],
  'git refs': [
    '001e# service=git-upload-pack\n0000004895dcfa3633004da0049d3d0fa03f80589cbcaf31 refs/heads/main\0multi_ack\n0000',
  ],
  dns: [
    '\u0000\u0001\u0001\u0000\u0000\u0001\u0000\u0001\u0000\u0000\u0000\u0000\u0007example\u0003com\u0000\u0000\u0001\u0000\u0001\u0001\u000c',
  ],
  'dns signed': [
    '\u0000\u0001\u0001\u0000\u0000\u0001\u0000\u0001\u0000\u0000\u0000\u0000\u0007example\u0003com\u0000\u0000\u0001\u0000\u0001\u0001\u000c',
    // An RRSIG and an NSEC of the name that was asked for.
    '\u0000\u0001\u0001\u0000\u0000\u0001\u0000\u0002\u0000\u0000\u0000\u0000\u0007example\u0003com\u0000\u0000\u0001\u0000\u0001\u00c0\u000c\u0000\u002e\u0000\u0001\u0000\u0000\u0000\u0001\u0000\u0014\u0000\u0001\u000d\u0002\u0000\u0000\u0001\u0000\u0001\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0001\u0000\u0007\u00c0\u000c\u0000\u002f\u0000\u0001\u0000\u0000\u0000\u0001\u0000\u0004\u0000\u0000\u0001\u0040',
  ],
  'bus results': [busResults],
  'bus results of a location': [busResults],
  'bus assignments': [`[["${busMonitor}",3,1763744400123456],["${busMonitor}",3,1763744400123456,1]]`],
  'bus presence': [
    '{"location":"fra","locationName":"Frankfurt","prober":"p","witness":"rack-1","isLeaving":false,"isFresh":true,"lostNetworkMs":7,"setAside":["m"]}',
  ],
  'bus change': [`{"monitorId":"${busMonitor}","partition":4,"hasRecovered":true,"failedMs":1763744400123}`],
  'bus request': [`["${busMonitor}","${busMonitor}"]`],
  'bus configurations': [
    `[{"monitorId":"${busMonitor}","version":3,"kind":"http","url":"https://example.com","method":"GET","timeoutMs":5000,"expectedStatusMin":200,"expectedStatusMax":399,"keyword":null,"requestHeaders":{"a":"b"},"requestBody":null,"options":{"json_path":"a"},"shareKey":"x","evidence":{"keepsBodies":true,"rounds":2}}]`,
  ],
  frames: [`\0\0\0\u0010\0\0\0\u0002{"type":"alive"}[]\0\0\0\u0010\0\0\0\0{"type":"alive"}`],
  'words of probers': [
    '{"type":"counts","thread":"t","counts":{"running":1,"waiting":2,"outbox":3,"refused":4,"dropped":5,"stalls":6,"checks":[{"kind":"http","status":"up","checks":7,"seconds":0.8}]}}',
    '{"type":"warning","message":"a","details":{"b":["c",{"d":1}]}}',
    '{"type":"spans","spans":[{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331","parentId":null,"name":"check","kind":"internal","startMs":1,"endMs":2,"isFailure":false,"attributes":{"a":"b"}}]}',
    '{"type":"aside","aside":{"key":"k","forMs":1,"reason":"r"}}',
  ],
  fping: ['127.0.0.1 : [0], 64 bytes, 0.031 ms (0.031 avg, 0% loss)'],
}

export function seedTexts(name: string): readonly string[] {
  return own[name] ?? common
}
