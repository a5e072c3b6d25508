import type { Translation } from '#core/language/texts.ts'

/** Portuguese of Brazil. */
export const portuguese: Translation = {
  // How all are, and each
  'Nothing is shown here yet': 'Ainda não há nada para mostrar',
  'Monitoring is paused': 'O monitoramento está pausado',
  'Waiting for the first checks': 'Aguardando as primeiras verificações',
  'All systems operational': 'Todos os sistemas estão operacionais',
  'The system is down': 'O sistema está fora do ar',
  'All systems are down': 'Todos os sistemas estão fora do ar',
  '{count, plural, one {# of {all} systems is down} other {# of {all} systems are down}}':
    '{count, plural, one {# de {all} sistemas está fora do ar} many {# de sistemas de {all} estão fora do ar} other {# de {all} sistemas estão fora do ar}}',
  'The system is degraded': 'O sistema está instável',
  'All systems are degraded': 'Todos os sistemas estão instáveis',
  '{count, plural, one {# of {all} systems is degraded} other {# of {all} systems are degraded}}':
    '{count, plural, one {# de {all} sistemas está instável} many {# de sistemas de {all} estão instáveis} other {# de {all} sistemas estão instáveis}}',
  'The system is under maintenance': 'O sistema está em manutenção',
  'All systems are under maintenance': 'Todos os sistemas estão em manutenção',
  '{count, plural, one {# of {all} systems is under maintenance} other {# of {all} systems are under maintenance}}':
    '{count, plural, one {# de {all} sistemas está em manutenção} many {# de sistemas de {all} estão em manutenção} other {# de {all} sistemas estão em manutenção}}',
  '{standing}, {resting, plural, one {# under maintenance} other {# under maintenance}}':
    '{standing}, {resting, plural, one {# em manutenção} many {# em manutenção} other {# em manutenção}}',
  Operational: 'Operacional',
  Degraded: 'Instável',
  Down: 'Fora do ar',
  'Under maintenance': 'Em manutenção',
  'No data yet': 'Ainda sem dados',
  Paused: 'Pausado',

  // The page
  '{title}: {standing}': '{title}: {standing}',
  'Get updates': 'Receber atualizações',
  'As of <time/>': 'Atualizado em <time/>',
  'Current incidents': 'Incidentes em andamento',
  'Maintenance under way': 'Manutenção em andamento',
  Announcements: 'Comunicados',
  'Planned maintenance': 'Manutenção programada',
  Systems: 'Sistemas',
  'Past incidents': 'Incidentes anteriores',
  'All incidents': 'Todos os incidentes',
  'There were none in the last {days, plural, one {# day} other {# days}}.':
    '{days, plural, one {Não houve nenhum no último dia.} many {Não houve nenhum nos últimos # de dias.} other {Não houve nenhum nos últimos # dias.}}',
  'Bars show the whole history of each system, the oldest first.':
    'As barras mostram todo o histórico de cada sistema, do mais antigo ao mais recente.',
  'Bars show the last {days, plural, one {# day} other {# days}}, the oldest first.':
    '{days, plural, one {A barra mostra o último dia.} many {As barras mostram os últimos # de dias, do mais antigo ao mais recente.} other {As barras mostram os últimos # dias, do mais antigo ao mais recente.}}',
  'Times are UTC, or in your own zone where scripts run.':
    'Os horários estão em UTC, ou no seu fuso horário quando o JavaScript está ativado.',
  'History signed until {day}, root {root}': 'Histórico assinado até {day}, raiz {root}',
  'Made with Perigee': 'Feito com Perigee',
  Language: 'Idioma',

  // A month of the past
  'Current status': 'Status atual',
  'Nothing happened in this month.': 'Não houve eventos neste mês.',
  '{title}: {month}': '{title}: {month}',
  Months: 'Meses',

  // A monitor
  'Down since <start/>': 'Fora do ar desde <start/>',
  'No response times in the last 24 hours': 'Sem tempos de resposta nas últimas 24 horas',
  'No checks yet': 'Ainda sem verificações',
  Today: 'Hoje',
  'Watched for {span}': 'Monitorado há {span}',
  '{days, plural, one {# day ago} other {# days ago}}':
    '{days, plural, one {Há # dia} many {Há # de dias} other {Há # dias}}',
  'Since {date}': 'Desde {date}',
  '{percent} uptime': '{percent} de disponibilidade',
  '{count, plural, one {# day with problems} other {# days with problems}}':
    '{count, plural, one {# dia com problemas} many {# de dias com problemas} other {# dias com problemas}}',
  '{count, plural, one {# period with problems} other {# periods with problems}}':
    '{count, plural, one {# período com problemas} many {# de períodos com problemas} other {# períodos com problemas}}',
  '{more, plural, one {and # more before {date}} other {and # more before {date}}}':
    '{more, plural, one {e mais # antes de {date}} many {e mais # antes de {date}} other {e mais # antes de {date}}}',
  'Response <hidden>time in the last 24 hours: </hidden>{averageMs} ms':
    'Tempo de resposta<hidden> nas últimas 24 horas:</hidden> {averageMs} ms',
  'Response <hidden>time in the last 24 hours: </hidden>{averageMs} ms, {fastestMs}–{slowestMs} ms':
    'Tempo de resposta<hidden> nas últimas 24 horas:</hidden> {averageMs} ms, {fastestMs}–{slowestMs} ms',
  '{when}: not watched yet': '{when}: ainda não monitorado',
  '{when}: no checks': '{when}: sem verificações',
  '{when}: degraded': '{when}: instável',
  '{when}: {availability}': '{when}: {availability}',
  '{when}: degraded in {degraded} of {checks} checks': '{when}: instável em {degraded} de {checks} verificações',
  '{when}: {availability}, {failed} of {checks} failed':
    '{when}: {availability}, {failed} de {checks} verificações com falha',

  // Incidents, posts and maintenance
  'Since <start/>, for {lasted}': 'Desde <start/>, duração até agora: {lasted}',
  '<start/> to <end/>, {lasted}': '<start/> a <end/>, duração: {lasted}',
  '<start/> to <end/>': '<start/> a <end/>',
  '{name}: incident': '{name}: incidente',
  '{name} is down': '{name} está fora do ar',
  '{name} was down': '{name} esteve fora do ar',
  '<posted/>, edited': '<posted/>, editado',
  Investigating: 'Em investigação',
  Identified: 'Causa identificada',
  'incident\u0004Monitoring': 'Em observação',
  Resolved: 'Resolvido',
  'Post-mortem': 'Relatório final',
  '{state}: {name}': '{state}: {name}',
  'Maintenance: {title}': 'Manutenção: {title}',
  'Maintenance planned: {title}': 'Manutenção programada: {title}',
  'Maintenance is planned.': 'Há uma manutenção programada.',
  'Maintenance changed: {title}': 'Manutenção alterada: {title}',
  'The times of this maintenance have changed.': 'O horário desta manutenção mudou.',
  'Maintenance cancelled: {title}': 'Manutenção cancelada: {title}',
  'This maintenance will not take place.': 'Esta manutenção não será realizada.',
  'Maintenance started: {title}': 'Manutenção iniciada: {title}',
  'Maintenance is under way.': 'A manutenção está em andamento.',
  'Maintenance ended: {title}': 'Manutenção concluída: {title}',
  'This maintenance has ended.': 'Esta manutenção foi concluída.',
  '{names} and {more, plural, one {# more} other {# more}}':
    '{names} e mais {more, plural, one {#} many {#} other {#}}',

  // Subscribing, and the page's password
  'Email address': 'Endereço de e-mail',
  Subscribe: 'Assinar',
  'Get a mail when something happens here.': 'Receba um e-mail quando houver novidades aqui.',
  'Add one of these feeds to a feed reader, or to a team chat that takes feeds: it tells you of every incident, update and maintenance.':
    'Adicione um destes feeds a um leitor de feeds ou a um chat de equipe compatível: assim você fica sabendo de cada incidente, atualização e manutenção.',
  'Programs can read the JSON. The people who run this page can also add your webhook.':
    'Programas podem ler o JSON. Os responsáveis por esta página também podem configurar um webhook para você.',
  'Atom feed': 'Feed Atom',
  'RSS feed': 'Feed RSS',
  Password: 'Senha',
  'This page asks for a password': 'Esta página é protegida por senha',
  'button\u0004Open': 'Abrir',
  'This is not the password.': 'A senha está incorreta.',
  'Too many tries. Wait {minutes, plural, =1 {a minute} one {# minute} other {# minutes}} and try again.':
    'Muitas tentativas. Tente novamente em {minutes, plural, =1 {um minuto} one {# minuto} many {# de minutos} other {# minutos}}.',
  'Back to the page': 'Voltar à página',
  'Check your mailbox': 'Verifique seu e-mail',
  'If this address is not subscribed already, a message is on its way. Open the link in it to confirm; until then, nothing else is sent.':
    'Se este endereço ainda não estiver inscrito, uma mensagem está a caminho. Abra o link que ela contém para confirmar; até lá, não enviaremos mais nada.',
  'This is not an email address': 'Este endereço de e-mail não é válido',
  'Go back and look at it again.': 'Volte e confira o endereço.',
  'Too many requests': 'Muitas solicitações',
  'Wait {minutes, plural, =1 {a minute} one {# minute} other {# minutes}} and try again.':
    'Tente novamente em {minutes, plural, =1 {um minuto} one {# minuto} many {# de minutos} other {# minutos}}.',
  'This page is busy right now': 'Esta página está sobrecarregada no momento',
  'Reload it in a few seconds.': 'Recarregue-a em alguns segundos.',
  'There is no such page': 'Esta página não existe',
  'Its address may have changed, or it was taken down.': 'O endereço pode ter mudado, ou a página foi retirada.',

  // Links in mails
  'This link is not valid': 'Este link não é válido',
  'The link may be incomplete. Open it from the message again, or copy the whole link.':
    'Ele pode ter sido cortado no caminho. Abra-o novamente a partir da mensagem ou copie-o por inteiro.',
  'This link has expired': 'Este link expirou',
  'Subscribe again on the status page, if you still want to.':
    'Se ainda quiser, inscreva-se novamente na página de status.',
  'Confirm this address': 'Confirmar este endereço',
  'Updates of the status page will be sent to {address}. Each has a link to unsubscribe.':
    'As atualizações da página de status serão enviadas para {address}. Cada mensagem tem um link para cancelar.',
  Confirm: 'Confirmar',
  'You are subscribed': 'Inscrição confirmada',
  'Updates of the status page are sent to {address}.':
    'As atualizações da página de status são enviadas para {address}.',
  'You are unsubscribed': 'Inscrição cancelada',
  'No more updates of the status page are sent to this address.':
    'Este endereço não receberá mais atualizações da página de status.',
  Unsubscribe: 'Cancelar inscrição',
  'Stop all updates of the status page to {address}?':
    'Parar de enviar as atualizações da página de status para {address}?',

  // Mails
  'Confirm updates of a status page': 'Confirme a inscrição em uma página de status',
  'Someone asked to have updates of the status page {page} sent to this address. If that is you, confirm it within {days, plural, one {# day} other {# days}}. If not, ignore this message: nothing more will come.':
    'Foi solicitado o envio das atualizações da página de status {page} para este endereço. Se foi você, confirme em até {days, plural, one {# dia} many {# de dias} other {# dias}}. Caso contrário, ignore esta mensagem: você não receberá outra.',
  '{title}: {news}': '{title}: {news}',
  'Open {title}': 'Abrir {title}',
  'No longer want these updates?': 'Não quer mais receber estas atualizações?',
  'A system': 'Um sistema',
  Since: 'Desde',
  '{name} does not work as it should.': '{name} não está funcionando como deveria.',
  '{name} works again.': '{name} voltou a funcionar.',
  '{name} works again': '{name} voltou a funcionar',
  'time\u0004From': 'Início',
  'time\u0004To': 'Fim',
  'It lasted': 'Duração',
  Posted: 'Publicado',
  Announcement: 'Comunicado',
  About: 'Afeta',

  // Feeds and badges
  'Updates of {title}': 'Novidades de {title}',
  'Since {start}.': 'Desde {start}.',
  'From {start} to {end}, {lasted}.': 'De {start} a {end}, duração: {lasted}.',
  'From {start} to {end}: {names}.': 'De {start} a {end}: {names}.',
  '{sentence} From {start} to {end}.': '{sentence} De {start} a {end}.',
  'No data': 'Sem dados',
  '{latencyMs} ms': '{latencyMs} ms',
  '{name} uptime, watched for {span}': '{name}: disponibilidade, monitorado há {span}',
  '{name} uptime today': '{name}: disponibilidade hoje',
  '{name} uptime {days} d': '{name}: disponibilidade {days} d',
  '{name} response, watched for {span}': '{name}: resposta, monitorado há {span}',
  '{name} response today': '{name}: resposta hoje',
  '{name} response {days} d': '{name}: resposta {days} d',

  // Dates, times and numbers
  '{day} {month} {year}': '{day} de {month} de {year}',
  '{day} {month}': '{day} de {month}',
  '{month} {year}': '{month} de {year}',
  '{date}, {time} {zone}': '{date}, {time} {zone}',
  '{from} to {until}': '{from} a {until}',
  '{first} to {last} {month}': '{first} a {last} de {month}',
  '{first} to {last} {month} {year}': '{first} a {last} de {month} de {year}',
  '{percent} %': '{percent}%',
  'less than a minute': 'menos de um minuto',
  '{minutes} min': '{minutes} min',
  '{hours} h': '{hours} h',
  '{hours} h {minutes} min': '{hours} h {minutes} min',
  '{days} d': '{days} d',
  '{days} d {hours} h': '{days} d {hours} h',
}
