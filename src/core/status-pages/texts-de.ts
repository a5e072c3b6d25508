import type { Translation } from '#core/language/texts.ts'

/** German, with the formal address where a reader is spoken to. */
export const german: Translation = {
  // How all are, and each
  'Nothing is shown here yet': 'Hier gibt es noch nichts zu sehen',
  'Monitoring is paused': 'Die Überwachung ist pausiert',
  'Waiting for the first checks': 'Die ersten Prüfungen stehen noch aus',
  'All systems operational': 'Alle Systeme sind in Betrieb',
  'The system is down': 'Das System ist ausgefallen',
  'All systems are down': 'Alle Systeme sind ausgefallen',
  '{count, plural, one {# of {all} systems is down} other {# of {all} systems are down}}':
    '{count, plural, one {# von {all} Systemen ist ausgefallen} other {# von {all} Systemen sind ausgefallen}}',
  'The system is degraded': 'Das System ist beeinträchtigt',
  'All systems are degraded': 'Alle Systeme sind beeinträchtigt',
  '{count, plural, one {# of {all} systems is degraded} other {# of {all} systems are degraded}}':
    '{count, plural, one {# von {all} Systemen ist beeinträchtigt} other {# von {all} Systemen sind beeinträchtigt}}',
  'The system is under maintenance': 'Das System wird gewartet',
  'All systems are under maintenance': 'Alle Systeme werden gewartet',
  '{count, plural, one {# of {all} systems is under maintenance} other {# of {all} systems are under maintenance}}':
    '{count, plural, one {# von {all} Systemen wird gewartet} other {# von {all} Systemen werden gewartet}}',
  '{standing}, {resting, plural, one {# under maintenance} other {# under maintenance}}':
    '{standing}, {resting, plural, one {# in Wartung} other {# in Wartung}}',
  Operational: 'In Betrieb',
  Degraded: 'Beeinträchtigt',
  Down: 'Ausgefallen',
  'Under maintenance': 'In Wartung',
  'No data yet': 'Noch keine Daten',
  Paused: 'Pausiert',

  // The page
  '{title}: {standing}': '{title}: {standing}',
  'Get updates': 'Updates erhalten',
  'As of <time/>': 'Stand: <time/>',
  'Current incidents': 'Aktuelle Störungen',
  'Maintenance under way': 'Laufende Wartungen',
  Announcements: 'Ankündigungen',
  'Planned maintenance': 'Geplante Wartungen',
  Systems: 'Systeme',
  'Past incidents': 'Vergangene Störungen',
  'All incidents': 'Alle Störungen',
  'There were none in the last {days, plural, one {# day} other {# days}}.':
    '{days, plural, one {Am letzten Tag gab es keine.} other {In den letzten # Tagen gab es keine.}}',
  'Bars show the whole history of each system, the oldest first.':
    'Die Balken zeigen den gesamten Verlauf jedes Systems, den ältesten Abschnitt zuerst.',
  'Bars show the last {days, plural, one {# day} other {# days}}, the oldest first.':
    '{days, plural, one {Der Balken zeigt den letzten Tag.} other {Die Balken zeigen die letzten # Tage, den ältesten zuerst.}}',
  'Times are UTC, or in your own zone where scripts run.':
    'Zeiten sind in UTC angegeben, mit JavaScript in Ihrer Zeitzone.',
  'History signed until {day}, root {root}': 'Verlauf signiert bis {day}, Wurzel {root}',
  'Made with Perigee': 'Erstellt mit Perigee',
  Language: 'Sprache',

  // A month of the past
  'Current status': 'Aktueller Status',
  'Nothing happened in this month.': 'In diesem Monat gab es keine Ereignisse.',
  '{title}: {month}': '{title}: {month}',
  Months: 'Monate',

  // A monitor
  'Down since <start/>': 'Ausgefallen seit <start/>',
  'No response times in the last 24 hours': 'Keine Antwortzeiten in den letzten 24 Stunden',
  'No checks yet': 'Noch keine Prüfungen',
  Today: 'Heute',
  'Watched for {span}': 'Überwachungsdauer: {span}',
  '{days, plural, one {# day ago} other {# days ago}}': '{days, plural, one {Vor # Tag} other {Vor # Tagen}}',
  'Since {date}': 'Seit {date}',
  '{percent} uptime': '{percent} Verfügbarkeit',
  '{count, plural, one {# day with problems} other {# days with problems}}':
    '{count, plural, one {# Tag mit Problemen} other {# Tage mit Problemen}}',
  '{count, plural, one {# period with problems} other {# periods with problems}}':
    '{count, plural, one {# Zeitraum mit Problemen} other {# Zeiträume mit Problemen}}',
  '{more, plural, one {and # more before {date}} other {and # more before {date}}}':
    '{more, plural, one {und # weiterer vor dem {date}} other {und # weitere vor dem {date}}}',
  'Response <hidden>time in the last 24 hours: </hidden>{averageMs} ms':
    'Antwortzeit<hidden> in den letzten 24 Stunden:</hidden> {averageMs} ms',
  'Response <hidden>time in the last 24 hours: </hidden>{averageMs} ms, {fastestMs}–{slowestMs} ms':
    'Antwortzeit<hidden> in den letzten 24 Stunden:</hidden> {averageMs} ms, {fastestMs}–{slowestMs} ms',
  '{when}: not watched yet': '{when}: noch nicht überwacht',
  '{when}: no checks': '{when}: keine Prüfungen',
  '{when}: degraded': '{when}: beeinträchtigt',
  '{when}: {availability}': '{when}: {availability}',
  '{when}: degraded in {degraded} of {checks} checks': '{when}: beeinträchtigt bei {degraded} von {checks} Prüfungen',
  '{when}: {availability}, {failed} of {checks} failed':
    '{when}: {availability}, {failed} von {checks} Prüfungen fehlgeschlagen',

  // Incidents, posts and maintenance
  'Since <start/>, for {lasted}': 'Seit <start/>, Dauer bisher: {lasted}',
  '<start/> to <end/>, {lasted}': '<start/> bis <end/>, Dauer: {lasted}',
  '<start/> to <end/>': '<start/> bis <end/>',
  '{name}: incident': '{name}: Störung',
  '{name} is down': '{name} ist ausgefallen',
  '{name} was down': '{name} war ausgefallen',
  '<posted/>, edited': '<posted/>, bearbeitet',
  Investigating: 'Wird untersucht',
  Identified: 'Ursache gefunden',
  'incident\u0004Monitoring': 'Wird beobachtet',
  Resolved: 'Behoben',
  'Post-mortem': 'Abschlussbericht',
  '{state}: {name}': '{state}: {name}',
  'Maintenance: {title}': 'Wartung: {title}',
  'Maintenance planned: {title}': 'Wartung geplant: {title}',
  'Maintenance is planned.': 'Es ist eine Wartung geplant.',
  'Maintenance changed: {title}': 'Wartung geändert: {title}',
  'The times of this maintenance have changed.': 'Der Zeitraum dieser Wartung hat sich geändert.',
  'Maintenance cancelled: {title}': 'Wartung abgesagt: {title}',
  'This maintenance will not take place.': 'Diese Wartung findet nicht statt.',
  'Maintenance started: {title}': 'Wartung begonnen: {title}',
  'Maintenance is under way.': 'Die Wartung hat begonnen.',
  'Maintenance ended: {title}': 'Wartung beendet: {title}',
  'This maintenance has ended.': 'Diese Wartung ist abgeschlossen.',
  '{names} and {more, plural, one {# more} other {# more}}':
    '{names} und {more, plural, one {# weiteres} other {# weitere}}',

  // Subscribing, and the page's password
  'Email address': 'E-Mail-Adresse',
  Subscribe: 'Abonnieren',
  'Get a mail when something happens here.': 'Wir benachrichtigen Sie per E-Mail, wenn sich hier etwas ändert.',
  'Add one of these feeds to a feed reader, or to a team chat that takes feeds: it tells you of every incident, update and maintenance.':
    'Fügen Sie einen dieser Feeds in einen Feedreader oder einen Team-Chat ein, der Feeds unterstützt: So erfahren Sie von jeder Störung, jeder Meldung und jeder Wartung.',
  'Programs can read the JSON. The people who run this page can also add your webhook.':
    'Programme können die JSON-Ausgabe lesen. Die Betreiber dieser Seite können auch einen Webhook für Sie einrichten.',
  'Atom feed': 'Atom-Feed',
  'RSS feed': 'RSS-Feed',
  Password: 'Passwort',
  'This page asks for a password': 'Diese Seite ist passwortgeschützt',
  'button\u0004Open': 'Öffnen',
  'This is not the password.': 'Das Passwort ist nicht richtig.',
  'Too many tries. Wait {minutes, plural, =1 {a minute} one {# minute} other {# minutes}} and try again.':
    'Zu viele Versuche. Bitte versuchen Sie es in {minutes, plural, =1 {einer Minute} one {# Minute} other {# Minuten}} erneut.',
  'Back to the page': 'Zurück zur Seite',
  'Check your mailbox': 'Sehen Sie in Ihr Postfach',
  'If this address is not subscribed already, a message is on its way. Open the link in it to confirm; until then, nothing else is sent.':
    'Wenn diese Adresse noch nicht angemeldet ist, ist eine Nachricht an sie unterwegs. Öffnen Sie den Link darin, um die Anmeldung zu bestätigen; vorher senden wir nichts weiter.',
  'This is not an email address': 'Das ist keine E-Mail-Adresse',
  'Go back and look at it again.': 'Gehen Sie zurück und prüfen Sie die Eingabe.',
  'Too many requests': 'Zu viele Anfragen',
  'Wait {minutes, plural, =1 {a minute} one {# minute} other {# minutes}} and try again.':
    'Bitte versuchen Sie es in {minutes, plural, =1 {einer Minute} one {# Minute} other {# Minuten}} erneut.',
  'This page is busy right now': 'Diese Seite ist gerade überlastet',
  'Reload it in a few seconds.': 'Laden Sie sie in einigen Sekunden neu.',
  'There is no such page': 'Diese Seite gibt es nicht',
  'Its address may have changed, or it was taken down.':
    'Vielleicht hat sich ihre Adresse geändert, oder sie wurde entfernt.',

  // Links in mails
  'This link is not valid': 'Dieser Link ist ungültig',
  'The link may be incomplete. Open it from the message again, or copy the whole link.':
    'Möglicherweise wurde er unterwegs abgeschnitten. Öffnen Sie ihn noch einmal aus der Nachricht, oder kopieren Sie ihn vollständig.',
  'This link has expired': 'Dieser Link ist abgelaufen',
  'Subscribe again on the status page, if you still want to.':
    'Wenn Sie möchten, melden Sie sich auf der Statusseite noch einmal an.',
  'Confirm this address': 'Adresse bestätigen',
  'Updates of the status page will be sent to {address}. Each has a link to unsubscribe.':
    'Meldungen der Statusseite werden an {address} gesendet. Jede enthält einen Link zum Abbestellen.',
  Confirm: 'Bestätigen',
  'You are subscribed': 'Sie sind angemeldet',
  'Updates of the status page are sent to {address}.': 'Meldungen der Statusseite werden an {address} gesendet.',
  'You are unsubscribed': 'Sie sind abgemeldet',
  'No more updates of the status page are sent to this address.':
    'An diese Adresse werden keine Meldungen der Statusseite mehr gesendet.',
  Unsubscribe: 'Abbestellen',
  'Stop all updates of the status page to {address}?': 'Alle Meldungen der Statusseite an {address} abbestellen?',

  // Mails
  'Confirm updates of a status page': 'Meldungen einer Statusseite bestätigen',
  'Someone asked to have updates of the status page {page} sent to this address. If that is you, confirm it within {days, plural, one {# day} other {# days}}. If not, ignore this message: nothing more will come.':
    'Für diese Adresse wurden Meldungen der Statusseite {page} angefordert. Wenn Sie das waren, bestätigen Sie es bitte innerhalb von {days, plural, one {# Tag} other {# Tagen}}. Andernfalls können Sie diese Nachricht ignorieren: Sie erhalten keine weitere.',
  '{title}: {news}': '{title}: {news}',
  'Open {title}': '{title} öffnen',
  'No longer want these updates?': 'Sie möchten diese Meldungen nicht mehr erhalten?',
  'A system': 'Ein System',
  Since: 'Seit',
  '{name} does not work as it should.': '{name} funktioniert derzeit nicht wie vorgesehen.',
  '{name} works again.': '{name} funktioniert wieder.',
  '{name} works again': '{name} funktioniert wieder',
  'time\u0004From': 'Von',
  'time\u0004To': 'Bis',
  'It lasted': 'Dauer',
  Posted: 'Veröffentlicht',
  Announcement: 'Ankündigung',
  About: 'Betrifft',

  // Feeds and badges
  'Updates of {title}': 'Neuigkeiten von {title}',
  'Since {start}.': 'Seit {start}.',
  'From {start} to {end}, {lasted}.': 'Von {start} bis {end}, Dauer: {lasted}.',
  'From {start} to {end}: {names}.': 'Von {start} bis {end}: {names}.',
  '{sentence} From {start} to {end}.': '{sentence} Von {start} bis {end}.',
  'No data': 'Keine Daten',
  '{latencyMs} ms': '{latencyMs} ms',
  '{name} uptime, watched for {span}': '{name}: Verfügbarkeit, Überwachungsdauer {span}',
  '{name} uptime today': '{name}: Verfügbarkeit heute',
  '{name} uptime {days} d': '{name}: Verfügbarkeit {days, plural, one {# Tag} other {# Tage}}',
  '{name} response, watched for {span}': '{name}: Antwortzeit, Überwachungsdauer {span}',
  '{name} response today': '{name}: Antwortzeit heute',
  '{name} response {days} d': '{name}: Antwortzeit {days, plural, one {# Tag} other {# Tage}}',

  // Dates, times and numbers
  '{day} {month} {year}': '{day}. {month} {year}',
  '{day} {month}': '{day}. {month}',
  '{month} {year}': '{month} {year}',
  '{date}, {time} {zone}': '{date}, {time} {zone}',
  '{from} to {until}': '{from} bis {until}',
  '{first} to {last} {month}': '{first}. bis {last}. {month}',
  '{first} to {last} {month} {year}': '{first}. bis {last}. {month} {year}',
  '{percent} %': '{percent}\u00a0%',
  'less than a minute': 'weniger als eine Minute',
  '{minutes} min': '{minutes} Min.',
  '{hours} h': '{hours} Std.',
  '{hours} h {minutes} min': '{hours} Std. {minutes} Min.',
  '{days} d': '{days, plural, one {# Tag} other {# Tage}}',
  '{days} d {hours} h': '{days, plural, one {# Tag} other {# Tage}} {hours} Std.',
}
