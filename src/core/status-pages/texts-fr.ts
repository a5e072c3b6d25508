import type { Translation } from '#core/language/texts.ts'

/** French. Signs of two parts have a space before them that does not break. */
export const french: Translation = {
  // How all are, and each
  'Nothing is shown here yet': 'Il n’y a encore rien à afficher',
  'Monitoring is paused': 'La surveillance est en pause',
  'Waiting for the first checks': 'En attente des premières vérifications',
  'All systems operational': 'Tous les systèmes sont opérationnels',
  'The system is down': 'Le système est en panne',
  'All systems are down': 'Tous les systèmes sont en panne',
  '{count, plural, one {# of {all} systems is down} other {# of {all} systems are down}}':
    '{count, plural, one {# système sur {all} est en panne} many {# de systèmes sur {all} sont en panne} other {# systèmes sur {all} sont en panne}}',
  'The system is degraded': 'Le système est perturbé',
  'All systems are degraded': 'Tous les systèmes sont perturbés',
  '{count, plural, one {# of {all} systems is degraded} other {# of {all} systems are degraded}}':
    '{count, plural, one {# système sur {all} est perturbé} many {# de systèmes sur {all} sont perturbés} other {# systèmes sur {all} sont perturbés}}',
  'The system is under maintenance': 'Le système est en maintenance',
  'All systems are under maintenance': 'Tous les systèmes sont en maintenance',
  '{count, plural, one {# of {all} systems is under maintenance} other {# of {all} systems are under maintenance}}':
    '{count, plural, one {# système sur {all} est en maintenance} many {# de systèmes sur {all} sont en maintenance} other {# systèmes sur {all} sont en maintenance}}',
  '{standing}, {resting, plural, one {# under maintenance} other {# under maintenance}}':
    '{standing}, {resting, plural, one {# en maintenance} many {# en maintenance} other {# en maintenance}}',
  Operational: 'Opérationnel',
  Degraded: 'Perturbé',
  Down: 'En panne',
  'Under maintenance': 'En maintenance',
  'No data yet': 'Pas encore de données',
  Paused: 'En pause',

  // The page
  '{title}: {standing}': '{title}\u00a0: {standing}',
  'Get updates': 'Être informé',
  'As of <time/>': 'État au <time/>',
  'Current incidents': 'Incidents en cours',
  'Maintenance under way': 'Maintenances en cours',
  Announcements: 'Annonces',
  'Planned maintenance': 'Maintenances prévues',
  Systems: 'Systèmes',
  'Past incidents': 'Incidents passés',
  'All incidents': 'Tous les incidents',
  'There were none in the last {days, plural, one {# day} other {# days}}.':
    '{days, plural, one {Aucun au cours du dernier jour.} many {Aucun au cours des # de derniers jours.} other {Aucun au cours des # derniers jours.}}',
  'Bars show the whole history of each system, the oldest first.':
    'Les barres montrent tout l’historique de chaque système, du plus ancien au plus récent.',
  'Bars show the last {days, plural, one {# day} other {# days}}, the oldest first.':
    '{days, plural, one {La barre montre le dernier jour.} many {Les barres montrent les # de derniers jours, du plus ancien au plus récent.} other {Les barres montrent les # derniers jours, du plus ancien au plus récent.}}',
  'Times are UTC, or in your own zone where scripts run.':
    'Les heures sont indiquées en UTC, ou dans votre fuseau horaire si JavaScript est activé.',
  'History signed until {day}, root {root}': 'Historique signé jusqu’au {day}, racine {root}',
  'Made with Perigee': 'Réalisé avec Perigee',
  Language: 'Langue',

  // A month of the past
  'Current status': 'État actuel',
  'Nothing happened in this month.': 'Aucun événement ce mois-ci.',
  '{title}: {month}': '{title}\u00a0: {month}',
  Months: 'Mois',

  // A monitor
  'Down since <start/>': 'En panne depuis le <start/>',
  'No response times in the last 24 hours': 'Aucun temps de réponse au cours des dernières 24 heures',
  'No checks yet': 'Pas encore de vérification',
  Today: 'Aujourd’hui',
  'Watched for {span}': 'Surveillé depuis {span}',
  '{days, plural, one {# day ago} other {# days ago}}':
    '{days, plural, one {Il y a # jour} many {Il y a # de jours} other {Il y a # jours}}',
  'Since {date}': 'Depuis le {date}',
  '{percent} uptime': '{percent} de disponibilité',
  '{count, plural, one {# day with problems} other {# days with problems}}':
    '{count, plural, one {# jour avec des problèmes} many {# de jours avec des problèmes} other {# jours avec des problèmes}}',
  '{count, plural, one {# period with problems} other {# periods with problems}}':
    '{count, plural, one {# période avec des problèmes} many {# de périodes avec des problèmes} other {# périodes avec des problèmes}}',
  '{more, plural, one {and # more before {date}} other {and # more before {date}}}':
    '{more, plural, one {et # autre avant le {date}} many {et # d’autres avant le {date}} other {et # autres avant le {date}}}',
  'Response <hidden>time in the last 24 hours: </hidden>{averageMs} ms':
    'Temps de réponse<hidden> des dernières 24 heures\u00a0:</hidden> {averageMs} ms',
  'Response <hidden>time in the last 24 hours: </hidden>{averageMs} ms, {fastestMs}–{slowestMs} ms':
    'Temps de réponse<hidden> des dernières 24 heures\u00a0:</hidden> {averageMs} ms, {fastestMs}–{slowestMs} ms',
  '{when}: not watched yet': '{when}\u00a0: pas encore surveillé',
  '{when}: no checks': '{when}\u00a0: aucune vérification',
  '{when}: degraded': '{when}\u00a0: perturbé',
  '{when}: {availability}': '{when}\u00a0: {availability}',
  '{when}: degraded in {degraded} of {checks} checks':
    '{when}\u00a0: perturbé dans {degraded} vérifications sur {checks}',
  '{when}: {availability}, {failed} of {checks} failed':
    '{when}\u00a0: {availability}, {failed} vérifications sur {checks} en échec',

  // Incidents, posts and maintenance
  'Since <start/>, for {lasted}': 'Depuis le <start/>, durée\u00a0: {lasted}',
  '<start/> to <end/>, {lasted}': 'Du <start/> au <end/>, durée\u00a0: {lasted}',
  '<start/> to <end/>': 'Du <start/> au <end/>',
  '{name}: incident': '{name}\u00a0: incident',
  '{name} is down': '{name} est en panne',
  '{name} was down': '{name} était en panne',
  '<posted/>, edited': '<posted/>, modifié',
  Investigating: 'Analyse en cours',
  Identified: 'Cause identifiée',
  'incident\u0004Monitoring': 'Sous surveillance',
  Resolved: 'Résolu',
  'Post-mortem': 'Bilan de l’incident',
  '{state}: {name}': '{state}\u00a0: {name}',
  'Maintenance: {title}': 'Maintenance\u00a0: {title}',
  'Maintenance planned: {title}': 'Maintenance prévue\u00a0: {title}',
  'Maintenance is planned.': 'Une maintenance est prévue.',
  'Maintenance changed: {title}': 'Maintenance modifiée\u00a0: {title}',
  'The times of this maintenance have changed.': 'Les horaires de cette maintenance ont changé.',
  'Maintenance cancelled: {title}': 'Maintenance annulée\u00a0: {title}',
  'This maintenance will not take place.': 'Cette maintenance n’aura pas lieu.',
  'Maintenance started: {title}': 'Maintenance commencée\u00a0: {title}',
  'Maintenance is under way.': 'La maintenance est en cours.',
  'Maintenance ended: {title}': 'Maintenance terminée\u00a0: {title}',
  'This maintenance has ended.': 'Cette maintenance est terminée.',
  '{names} and {more, plural, one {# more} other {# more}}':
    '{names} et {more, plural, one {# autre} many {# d’autres} other {# autres}}',

  // Subscribing, and the page's password
  'Email address': 'Adresse e-mail',
  Subscribe: 'S’abonner',
  'Get a mail when something happens here.': 'Recevez un e-mail dès qu’il se passe quelque chose ici.',
  'Add one of these feeds to a feed reader, or to a team chat that takes feeds: it tells you of every incident, update and maintenance.':
    'Ajoutez l’un de ces flux à un lecteur de flux ou à une messagerie d’équipe qui les accepte\u00a0: vous serez informé de chaque incident, message et maintenance.',
  'Programs can read the JSON. The people who run this page can also add your webhook.':
    'Les programmes peuvent lire le JSON. Les responsables de cette page peuvent aussi configurer un webhook pour vous.',
  'Atom feed': 'Flux Atom',
  'RSS feed': 'Flux RSS',
  Password: 'Mot de passe',
  'This page asks for a password': 'Cette page est protégée par un mot de passe',
  'button\u0004Open': 'Ouvrir',
  'This is not the password.': 'Le mot de passe est incorrect.',
  'Too many tries. Wait {minutes, plural, =1 {a minute} one {# minute} other {# minutes}} and try again.':
    'Trop de tentatives. Réessayez dans {minutes, plural, =1 {une minute} one {# minute} many {# de minutes} other {# minutes}}.',
  'Back to the page': 'Retour à la page',
  'Check your mailbox': 'Consultez votre messagerie',
  'If this address is not subscribed already, a message is on its way. Open the link in it to confirm; until then, nothing else is sent.':
    'Si cette adresse n’est pas encore abonnée, un message vient de lui être envoyé. Ouvrez le lien qu’il contient pour confirmer\u00a0; rien d’autre ne sera envoyé avant.',
  'This is not an email address': 'Cette adresse e-mail n’est pas valide',
  'Go back and look at it again.': 'Revenez en arrière et vérifiez-la.',
  'Too many requests': 'Trop de demandes',
  'Wait {minutes, plural, =1 {a minute} one {# minute} other {# minutes}} and try again.':
    'Réessayez dans {minutes, plural, =1 {une minute} one {# minute} many {# de minutes} other {# minutes}}.',
  'This page is busy right now': 'Cette page est surchargée pour le moment',
  'Reload it in a few seconds.': 'Rechargez-la dans quelques secondes.',
  'There is no such page': 'Cette page n’existe pas',
  'Its address may have changed, or it was taken down.': 'Son adresse a peut-être changé, ou elle a été supprimée.',

  // Links in mails
  'This link is not valid': 'Ce lien n’est pas valide',
  'The link may be incomplete. Open it from the message again, or copy the whole link.':
    'Il a peut-être été tronqué en chemin. Ouvrez-le de nouveau depuis le message, ou copiez-le en entier.',
  'This link has expired': 'Ce lien a expiré',
  'Subscribe again on the status page, if you still want to.':
    'Si vous le souhaitez toujours, abonnez-vous de nouveau sur la page d’état.',
  'Confirm this address': 'Confirmer cette adresse',
  'Updates of the status page will be sent to {address}. Each has a link to unsubscribe.':
    'Les nouvelles de la page d’état seront envoyées à {address}. Chaque message contient un lien de désabonnement.',
  Confirm: 'Confirmer',
  'You are subscribed': 'Vous êtes abonné',
  'Updates of the status page are sent to {address}.': 'Les nouvelles de la page d’état sont envoyées à {address}.',
  'You are unsubscribed': 'Vous êtes désabonné',
  'No more updates of the status page are sent to this address.':
    'Cette adresse ne recevra plus de nouvelles de la page d’état.',
  Unsubscribe: 'Se désabonner',
  'Stop all updates of the status page to {address}?':
    'Ne plus envoyer de nouvelles de la page d’état à {address}\u00a0?',

  // Mails
  'Confirm updates of a status page': 'Confirmez votre abonnement à une page d’état',
  'Someone asked to have updates of the status page {page} sent to this address. If that is you, confirm it within {days, plural, one {# day} other {# days}}. If not, ignore this message: nothing more will come.':
    'Un abonnement aux nouvelles de la page d’état {page} a été demandé pour cette adresse. S’il s’agit de vous, confirmez-le dans un délai de {days, plural, one {# jour} many {# de jours} other {# jours}}. Sinon, ignorez ce message\u00a0: vous n’en recevrez pas d’autre.',
  '{title}: {news}': '{title}\u00a0: {news}',
  'Open {title}': 'Ouvrir {title}',
  'No longer want these updates?': 'Vous ne souhaitez plus recevoir ces nouvelles\u00a0?',
  'A system': 'Un système',
  Since: 'Depuis',
  '{name} does not work as it should.': '{name} ne fonctionne pas normalement.',
  '{name} works again.': '{name} fonctionne de nouveau.',
  '{name} works again': '{name} fonctionne de nouveau',
  'time\u0004From': 'Début',
  'time\u0004To': 'Fin',
  'It lasted': 'Durée',
  Posted: 'Publié',
  Announcement: 'Annonce',
  About: 'Concerne',

  // Feeds and badges
  'Updates of {title}': 'L’actualité de {title}',
  'Since {start}.': 'Depuis le {start}.',
  'From {start} to {end}, {lasted}.': 'Du {start} au {end}, durée\u00a0: {lasted}.',
  'From {start} to {end}: {names}.': 'Du {start} au {end}\u00a0: {names}.',
  '{sentence} From {start} to {end}.': '{sentence} Du {start} au {end}.',
  'No data': 'Pas de données',
  '{latencyMs} ms': '{latencyMs} ms',
  '{name} uptime, watched for {span}': '{name}\u00a0: disponibilité, surveillé depuis {span}',
  '{name} uptime today': '{name}\u00a0: disponibilité aujourd’hui',
  '{name} uptime {days} d': '{name}\u00a0: disponibilité sur {days} j',
  '{name} response, watched for {span}': '{name}\u00a0: réponse, surveillé depuis {span}',
  '{name} response today': '{name}\u00a0: réponse aujourd’hui',
  '{name} response {days} d': '{name}\u00a0: réponse sur {days} j',

  // Dates, times and numbers
  '{day} {month} {year}': '{day} {month} {year}',
  '{day} {month}': '{day} {month}',
  '{month} {year}': '{month} {year}',
  '{date}, {time} {zone}': '{date} à {time} {zone}',
  '{from} to {until}': '{from} au {until}',
  '{first} to {last} {month}': '{first} au {last} {month}',
  '{first} to {last} {month} {year}': '{first} au {last} {month} {year}',
  '{percent} %': '{percent}\u00a0%',
  'less than a minute': 'moins d’une minute',
  '{minutes} min': '{minutes} min',
  '{hours} h': '{hours} h',
  '{hours} h {minutes} min': '{hours} h {minutes} min',
  '{days} d': '{days} j',
  '{days} d {hours} h': '{days} j {hours} h',
}
