import type { Translation } from '#core/language/texts.ts'

/** Spanish as it is read on both sides of the Atlantic, with the formal address. */
export const spanish: Translation = {
  // How all are, and each
  'Nothing is shown here yet': 'Todavía no hay nada que mostrar',
  'Monitoring is paused': 'La supervisión está en pausa',
  'Waiting for the first checks': 'A la espera de las primeras comprobaciones',
  'All systems operational': 'Todos los sistemas funcionan con normalidad',
  'The system is down': 'El sistema no funciona',
  'All systems are down': 'Ningún sistema funciona',
  '{count, plural, one {# of {all} systems is down} other {# of {all} systems are down}}':
    '{count, plural, one {# de {all} sistemas no funciona} many {# de sistemas de {all} no funcionan} other {# de {all} sistemas no funcionan}}',
  'The system is degraded': 'El sistema tiene un rendimiento degradado',
  'All systems are degraded': 'Todos los sistemas tienen un rendimiento degradado',
  '{count, plural, one {# of {all} systems is degraded} other {# of {all} systems are degraded}}':
    '{count, plural, one {# de {all} sistemas tiene un rendimiento degradado} many {# de sistemas de {all} tienen un rendimiento degradado} other {# de {all} sistemas tienen un rendimiento degradado}}',
  'The system is under maintenance': 'El sistema está en mantenimiento',
  'All systems are under maintenance': 'Todos los sistemas están en mantenimiento',
  '{count, plural, one {# of {all} systems is under maintenance} other {# of {all} systems are under maintenance}}':
    '{count, plural, one {# de {all} sistemas está en mantenimiento} many {# de sistemas de {all} están en mantenimiento} other {# de {all} sistemas están en mantenimiento}}',
  '{standing}, {resting, plural, one {# under maintenance} other {# under maintenance}}':
    '{standing}, {resting, plural, one {# en mantenimiento} many {# en mantenimiento} other {# en mantenimiento}}',
  Operational: 'Operativo',
  Degraded: 'Rendimiento degradado',
  Down: 'Fuera de servicio',
  'Under maintenance': 'En mantenimiento',
  'No data yet': 'Aún sin datos',
  Paused: 'En pausa',

  // The page
  '{title}: {standing}': '{title}: {standing}',
  'Get updates': 'Recibir avisos',
  'As of <time/>': 'Actualizado: <time/>',
  'Current incidents': 'Incidentes en curso',
  'Maintenance under way': 'Mantenimiento en curso',
  Announcements: 'Anuncios',
  'Planned maintenance': 'Mantenimiento programado',
  Systems: 'Sistemas',
  'Past incidents': 'Incidentes anteriores',
  'All incidents': 'Todos los incidentes',
  'There were none in the last {days, plural, one {# day} other {# days}}.':
    '{days, plural, one {No hubo ninguno en el último día.} many {No hubo ninguno en los últimos # de días.} other {No hubo ninguno en los últimos # días.}}',
  'Bars show the whole history of each system, the oldest first.':
    'Las barras muestran todo el historial de cada sistema, de lo más antiguo a lo más reciente.',
  'Bars show the last {days, plural, one {# day} other {# days}}, the oldest first.':
    '{days, plural, one {La barra muestra el último día.} many {Las barras muestran los últimos # de días, del más antiguo al más reciente.} other {Las barras muestran los últimos # días, del más antiguo al más reciente.}}',
  'Times are UTC, or in your own zone where scripts run.':
    'Las horas se indican en UTC, o en su zona horaria si JavaScript está activado.',
  'History signed until {day}, root {root}': 'Historial firmado hasta {day}, raíz {root}',
  'Made with Perigee': 'Creado con Perigee',
  Language: 'Idioma',

  // A month of the past
  'Current status': 'Estado actual',
  'Nothing happened in this month.': 'No hubo novedades este mes.',
  '{title}: {month}': '{title}: {month}',
  Months: 'Meses',

  // A monitor
  'Down since <start/>': 'Fuera de servicio desde: <start/>',
  'No response times in the last 24 hours': 'Sin tiempos de respuesta en las últimas 24 horas',
  'No checks yet': 'Aún sin comprobaciones',
  Today: 'Hoy',
  'Watched for {span}': 'Supervisado desde hace {span}',
  '{days, plural, one {# day ago} other {# days ago}}':
    '{days, plural, one {Hace # día} many {Hace # de días} other {Hace # días}}',
  'Since {date}': 'Desde el {date}',
  '{percent} uptime': '{percent} de disponibilidad',
  '{count, plural, one {# day with problems} other {# days with problems}}':
    '{count, plural, one {# día con problemas} many {# de días con problemas} other {# días con problemas}}',
  '{count, plural, one {# period with problems} other {# periods with problems}}':
    '{count, plural, one {# periodo con problemas} many {# de periodos con problemas} other {# periodos con problemas}}',
  '{more, plural, one {and # more before {date}} other {and # more before {date}}}':
    '{more, plural, one {y # más antes del {date}} many {y # más antes del {date}} other {y # más antes del {date}}}',
  'Response <hidden>time in the last 24 hours: </hidden>{averageMs} ms':
    'Tiempo de respuesta<hidden> en las últimas 24 horas:</hidden> {averageMs} ms',
  'Response <hidden>time in the last 24 hours: </hidden>{averageMs} ms, {fastestMs}–{slowestMs} ms':
    'Tiempo de respuesta<hidden> en las últimas 24 horas:</hidden> {averageMs} ms, {fastestMs}–{slowestMs} ms',
  '{when}: not watched yet': '{when}: aún sin supervisar',
  '{when}: no checks': '{when}: sin comprobaciones',
  '{when}: degraded': '{when}: rendimiento degradado',
  '{when}: {availability}': '{when}: {availability}',
  '{when}: degraded in {degraded} of {checks} checks':
    '{when}: rendimiento degradado en {degraded} de {checks} comprobaciones',
  '{when}: {availability}, {failed} of {checks} failed':
    '{when}: {availability}, {failed} de {checks} comprobaciones fallidas',

  // Incidents, posts and maintenance
  'Since <start/>, for {lasted}': 'Desde: <start/>, duración hasta ahora: {lasted}',
  '<start/> to <end/>, {lasted}': '<start/> – <end/>, duración: {lasted}',
  '<start/> to <end/>': '<start/> – <end/>',
  '{name}: incident': '{name}: incidente',
  '{name} is down': '{name} no funciona',
  '{name} was down': '{name} no funcionaba',
  '<posted/>, edited': '<posted/>, editado',
  Investigating: 'En investigación',
  Identified: 'Causa identificada',
  'incident\u0004Monitoring': 'En observación',
  Resolved: 'Resuelto',
  'Post-mortem': 'Informe final',
  '{state}: {name}': '{state}: {name}',
  'Maintenance: {title}': 'Mantenimiento: {title}',
  'Maintenance planned: {title}': 'Mantenimiento programado: {title}',
  'Maintenance is planned.': 'Hay un mantenimiento programado.',
  'Maintenance changed: {title}': 'Mantenimiento modificado: {title}',
  'The times of this maintenance have changed.': 'El horario de este mantenimiento ha cambiado.',
  'Maintenance cancelled: {title}': 'Mantenimiento cancelado: {title}',
  'This maintenance will not take place.': 'Este mantenimiento no se realizará.',
  'Maintenance started: {title}': 'Mantenimiento iniciado: {title}',
  'Maintenance is under way.': 'El mantenimiento está en curso.',
  'Maintenance ended: {title}': 'Mantenimiento finalizado: {title}',
  'This maintenance has ended.': 'Este mantenimiento ha finalizado.',
  '{names} and {more, plural, one {# more} other {# more}}':
    '{names} y {more, plural, one {# más} many {# más} other {# más}}',

  // Subscribing, and the page's password
  'Email address': 'Correo electrónico',
  Subscribe: 'Suscribirse',
  'Get a mail when something happens here.': 'Reciba un correo cuando haya novedades aquí.',
  'Add one of these feeds to a feed reader, or to a team chat that takes feeds: it tells you of every incident, update and maintenance.':
    'Añada uno de estos canales a un lector de noticias o a un chat de equipo que los admita: le informará de cada incidente, novedad y mantenimiento.',
  'Programs can read the JSON. The people who run this page can also add your webhook.':
    'Los programas pueden leer el JSON. Los responsables de esta página también pueden configurar un webhook para usted.',
  'Atom feed': 'Canal Atom',
  'RSS feed': 'Canal RSS',
  Password: 'Contraseña',
  'This page asks for a password': 'Esta página está protegida con contraseña',
  'button\u0004Open': 'Abrir',
  'This is not the password.': 'La contraseña no es correcta.',
  'Too many tries. Wait {minutes, plural, =1 {a minute} one {# minute} other {# minutes}} and try again.':
    'Demasiados intentos. Vuelva a intentarlo dentro de {minutes, plural, =1 {un minuto} one {# minuto} many {# de minutos} other {# minutos}}.',
  'Back to the page': 'Volver a la página',
  'Check your mailbox': 'Revise su correo',
  'If this address is not subscribed already, a message is on its way. Open the link in it to confirm; until then, nothing else is sent.':
    'Si esta dirección aún no está suscrita, le hemos enviado un mensaje. Abra el enlace que contiene para confirmar la suscripción; hasta entonces no enviaremos nada más.',
  'This is not an email address': 'Esta dirección de correo no es válida',
  'Go back and look at it again.': 'Vuelva atrás y revísela.',
  'Too many requests': 'Demasiadas solicitudes',
  'Wait {minutes, plural, =1 {a minute} one {# minute} other {# minutes}} and try again.':
    'Vuelva a intentarlo dentro de {minutes, plural, =1 {un minuto} one {# minuto} many {# de minutos} other {# minutos}}.',
  'This page is busy right now': 'Esta página está saturada en este momento',
  'Reload it in a few seconds.': 'Vuelva a cargarla dentro de unos segundos.',
  'There is no such page': 'Esta página no existe',
  'Its address may have changed, or it was taken down.':
    'Es posible que su dirección haya cambiado o que se haya retirado.',

  // Links in mails
  'This link is not valid': 'Este enlace no es válido',
  'The link may be incomplete. Open it from the message again, or copy the whole link.':
    'Es posible que se haya cortado por el camino. Ábralo de nuevo desde el mensaje o cópielo entero.',
  'This link has expired': 'Este enlace ha caducado',
  'Subscribe again on the status page, if you still want to.':
    'Si lo desea, suscríbase de nuevo en la página de estado.',
  'Confirm this address': 'Confirmar esta dirección',
  'Updates of the status page will be sent to {address}. Each has a link to unsubscribe.':
    'Las novedades de la página de estado se enviarán a {address}. Cada mensaje incluye un enlace para darse de baja.',
  Confirm: 'Confirmar',
  'You are subscribed': 'La suscripción está confirmada',
  'Updates of the status page are sent to {address}.': 'Las novedades de la página de estado se envían a {address}.',
  'You are unsubscribed': 'La suscripción está cancelada',
  'No more updates of the status page are sent to this address.':
    'Ya no se enviarán novedades de la página de estado a esta dirección.',
  Unsubscribe: 'Darse de baja',
  'Stop all updates of the status page to {address}?':
    '¿Dejar de enviar las novedades de la página de estado a {address}?',

  // Mails
  'Confirm updates of a status page': 'Confirme la suscripción a una página de estado',
  'Someone asked to have updates of the status page {page} sent to this address. If that is you, confirm it within {days, plural, one {# day} other {# days}}. If not, ignore this message: nothing more will come.':
    'Se ha solicitado enviar a esta dirección las novedades de la página de estado {page}. Si ha sido usted, confírmelo en un plazo de {days, plural, one {# día} many {# de días} other {# días}}. Si no, ignore este mensaje: no recibirá ninguno más.',
  '{title}: {news}': '{title}: {news}',
  'Open {title}': 'Abrir {title}',
  'No longer want these updates?': '¿Ya no desea recibir estas novedades?',
  'A system': 'Un sistema',
  Since: 'Desde',
  '{name} does not work as it should.': '{name} no funciona correctamente.',
  '{name} works again.': '{name} vuelve a funcionar.',
  '{name} works again': '{name} vuelve a funcionar',
  'time\u0004From': 'Inicio',
  'time\u0004To': 'Fin',
  'It lasted': 'Duración',
  Posted: 'Publicado',
  Announcement: 'Anuncio',
  About: 'Afecta a',

  // Feeds and badges
  'Updates of {title}': 'Novedades de {title}',
  'Since {start}.': 'Desde: {start}.',
  'From {start} to {end}, {lasted}.': '{start} – {end}, duración: {lasted}.',
  'From {start} to {end}: {names}.': '{start} – {end}: {names}.',
  '{sentence} From {start} to {end}.': '{sentence} {start} – {end}.',
  'No data': 'Sin datos',
  '{latencyMs} ms': '{latencyMs} ms',
  '{name} uptime, watched for {span}': '{name}: disponibilidad, supervisado desde hace {span}',
  '{name} uptime today': '{name}: disponibilidad hoy',
  '{name} uptime {days} d': '{name}: disponibilidad {days} d',
  '{name} response, watched for {span}': '{name}: respuesta, supervisado desde hace {span}',
  '{name} response today': '{name}: respuesta hoy',
  '{name} response {days} d': '{name}: respuesta {days} d',

  // Dates, times and numbers
  '{day} {month} {year}': '{day} {month} {year}',
  '{day} {month}': '{day} {month}',
  '{month} {year}': '{month} de {year}',
  '{date}, {time} {zone}': '{date}, {time} {zone}',
  '{from} to {until}': '{from} al {until}',
  '{first} to {last} {month}': '{first} al {last} {month}',
  '{first} to {last} {month} {year}': '{first} al {last} {month} {year}',
  '{percent} %': '{percent}\u00a0%',
  'less than a minute': 'menos de un minuto',
  '{minutes} min': '{minutes} min',
  '{hours} h': '{hours} h',
  '{hours} h {minutes} min': '{hours} h {minutes} min',
  '{days} d': '{days} d',
  '{days} d {hours} h': '{days} d {hours} h',
}
