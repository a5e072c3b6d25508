import type { Translation } from '#core/language/texts.ts'

/** Japanese, polite. Its plurals have one form. */
export const japanese: Translation = {
  // How all are, and each
  'Nothing is shown here yet': 'まだ表示するものがありません',
  'Monitoring is paused': '監視を一時停止しています',
  'Waiting for the first checks': '最初の確認を待っています',
  'All systems operational': 'すべてのシステムが正常に稼働しています',
  'The system is down': 'システムが停止しています',
  'All systems are down': 'すべてのシステムが停止しています',
  '{count, plural, one {# of {all} systems is down} other {# of {all} systems are down}}':
    '{count, plural, other {{all}件中#件のシステムが停止しています}}',
  'The system is degraded': 'システムの性能が低下しています',
  'All systems are degraded': 'すべてのシステムの性能が低下しています',
  '{count, plural, one {# of {all} systems is degraded} other {# of {all} systems are degraded}}':
    '{count, plural, other {{all}件中#件のシステムの性能が低下しています}}',
  'The system is under maintenance': 'システムはメンテナンス中です',
  'All systems are under maintenance': 'すべてのシステムがメンテナンス中です',
  '{count, plural, one {# of {all} systems is under maintenance} other {# of {all} systems are under maintenance}}':
    '{count, plural, other {{all}件中#件のシステムがメンテナンス中です}}',
  '{standing}, {resting, plural, one {# under maintenance} other {# under maintenance}}':
    '{standing}（{resting, plural, other {#件はメンテナンス中}}）',
  Operational: '正常',
  Degraded: '性能低下',
  Down: '停止',
  'Under maintenance': 'メンテナンス中',
  'No data yet': 'データなし',
  Paused: '一時停止中',

  // The page
  '{title}: {standing}': '{title}：{standing}',
  'Get updates': '更新情報を受け取る',
  'As of <time/>': '<time/> 現在',
  'Current incidents': '発生中の障害',
  'Maintenance under way': '実施中のメンテナンス',
  Announcements: 'お知らせ',
  'Planned maintenance': '予定されているメンテナンス',
  Systems: 'システム',
  'Past incidents': '過去の障害',
  'All incidents': 'すべての障害',
  'There were none in the last {days, plural, one {# day} other {# days}}.':
    '過去{days, plural, other {#日間}}に障害はありませんでした。',
  'Bars show the whole history of each system, the oldest first.': 'バーは各システムの全履歴を古い順に表しています。',
  'Bars show the last {days, plural, one {# day} other {# days}}, the oldest first.':
    'バーは過去{days, plural, other {#日間}}を古い順に表しています。',
  'Times are UTC, or in your own zone where scripts run.':
    '時刻はUTCです。JavaScriptが有効な場合は、お使いのタイムゾーンで表示されます。',
  'History signed until {day}, root {root}': '履歴は{day}まで署名済み、ルート{root}',
  'Made with Perigee': 'Perigeeで作成',
  Language: '言語',

  // A month of the past
  'Current status': '現在の状況',
  'Nothing happened in this month.': 'この月の出来事はありません。',
  '{title}: {month}': '{title}：{month}',
  Months: '月',

  // A monitor
  'Down since <start/>': '<start/> から停止しています',
  'No response times in the last 24 hours': '過去24時間の応答時間はありません',
  'No checks yet': 'まだ確認していません',
  Today: '今日',
  'Watched for {span}': '監視期間：{span}',
  '{days, plural, one {# day ago} other {# days ago}}': '{days, plural, other {#日前}}',
  'Since {date}': '{date}から',
  '{percent} uptime': '稼働率 {percent}',
  '{count, plural, one {# day with problems} other {# days with problems}}':
    '{count, plural, other {問題があった日：#日}}',
  '{count, plural, one {# period with problems} other {# periods with problems}}':
    '{count, plural, other {問題があった期間：#件}}',
  '{more, plural, one {and # more before {date}} other {and # more before {date}}}':
    '{more, plural, other {{date}より前にほか#件}}',
  'Response <hidden>time in the last 24 hours: </hidden>{averageMs} ms':
    '<hidden>過去24時間の</hidden>応答時間 {averageMs} ms',
  'Response <hidden>time in the last 24 hours: </hidden>{averageMs} ms, {fastestMs}–{slowestMs} ms':
    '<hidden>過去24時間の</hidden>応答時間 {averageMs} ms（{fastestMs}～{slowestMs} ms）',
  '{when}: not watched yet': '{when}：監視開始前',
  '{when}: no checks': '{when}：確認なし',
  '{when}: degraded': '{when}：性能低下',
  '{when}: {availability}': '{when}：{availability}',
  '{when}: degraded in {degraded} of {checks} checks': '{when}：{checks}回の確認のうち{degraded}回で性能低下',
  '{when}: {availability}, {failed} of {checks} failed':
    '{when}：{availability}、{checks}回の確認のうち{failed}回が失敗',

  // Incidents, posts and maintenance
  'Since <start/>, for {lasted}': '<start/> から（継続時間：{lasted}）',
  '<start/> to <end/>, {lasted}': '<start/> ～ <end/>（{lasted}）',
  '<start/> to <end/>': '<start/> ～ <end/>',
  '{name}: incident': '{name}：障害',
  '{name} is down': '{name}が停止しています',
  '{name} was down': '{name}が停止していました',
  '<posted/>, edited': '<posted/>（編集済み）',
  Investigating: '調査中',
  Identified: '原因を特定',
  'incident\u0004Monitoring': '経過観察中',
  Resolved: '解決済み',
  'Post-mortem': '事後報告',
  '{state}: {name}': '{state}：{name}',
  'Maintenance: {title}': 'メンテナンス：{title}',
  'Maintenance planned: {title}': 'メンテナンスの予定：{title}',
  'Maintenance is planned.': 'メンテナンスを予定しています。',
  'Maintenance changed: {title}': 'メンテナンスの変更：{title}',
  'The times of this maintenance have changed.': 'このメンテナンスの日時が変更されました。',
  'Maintenance cancelled: {title}': 'メンテナンスの中止：{title}',
  'This maintenance will not take place.': 'このメンテナンスは中止になりました。',
  'Maintenance started: {title}': 'メンテナンスの開始：{title}',
  'Maintenance is under way.': 'メンテナンスを実施しています。',
  'Maintenance ended: {title}': 'メンテナンスの終了：{title}',
  'This maintenance has ended.': 'このメンテナンスは終了しました。',
  '{names} and {more, plural, one {# more} other {# more}}': '{names}、ほか{more, plural, other {#件}}',

  // Subscribing, and the page's password
  'Email address': 'メールアドレス',
  Subscribe: '購読する',
  'Get a mail when something happens here.': '更新があったときにメールでお知らせします。',
  'Add one of these feeds to a feed reader, or to a team chat that takes feeds: it tells you of every incident, update and maintenance.':
    '次のフィードをフィードリーダーや、フィードに対応したチャットに追加すると、障害、更新情報、メンテナンスの通知を受け取れます。',
  'Programs can read the JSON. The people who run this page can also add your webhook.':
    'プログラムからはJSONを利用できます。このページの運営者に依頼して、Webhookを登録してもらうこともできます。',
  'Atom feed': 'Atomフィード',
  'RSS feed': 'RSSフィード',
  Password: 'パスワード',
  'This page asks for a password': 'このページにはパスワードが必要です',
  'button\u0004Open': '開く',
  'This is not the password.': 'パスワードが正しくありません。',
  'Too many tries. Wait {minutes, plural, =1 {a minute} one {# minute} other {# minutes}} and try again.':
    '試行回数が多すぎます。{minutes, plural, =1 {1分} other {#分}}ほど待ってから、もう一度お試しください。',
  'Back to the page': 'ページに戻る',
  'Check your mailbox': 'メールをご確認ください',
  'If this address is not subscribed already, a message is on its way. Open the link in it to confirm; until then, nothing else is sent.':
    'このアドレスがまだ登録されていない場合は、確認メールをお送りしました。メールのリンクを開いて登録を確定してください。それまでは何もお送りしません。',
  'This is not an email address': 'メールアドレスの形式が正しくありません',
  'Go back and look at it again.': '前のページに戻って、ご確認ください。',
  'Too many requests': 'リクエストが多すぎます',
  'Wait {minutes, plural, =1 {a minute} one {# minute} other {# minutes}} and try again.':
    '{minutes, plural, =1 {1分} other {#分}}ほど待ってから、もう一度お試しください。',
  'This page is busy right now': 'このページは現在混み合っています',
  'Reload it in a few seconds.': '数秒後に再読み込みしてください。',
  'There is no such page': 'ページが見つかりません',
  'Its address may have changed, or it was taken down.': 'アドレスが変更されたか、ページが削除された可能性があります。',

  // Links in mails
  'This link is not valid': 'このリンクは無効です',
  'The link may be incomplete. Open it from the message again, or copy the whole link.':
    'リンクが途中で切れている可能性があります。メールからもう一度開くか、全体をコピーしてください。',
  'This link has expired': 'このリンクは期限切れです',
  'Subscribe again on the status page, if you still want to.':
    'ご希望の場合は、ステータスページでもう一度ご登録ください。',
  'Confirm this address': 'メールアドレスの確認',
  'Updates of the status page will be sent to {address}. Each has a link to unsubscribe.':
    'ステータスページの更新情報を {address} にお送りします。配信停止のリンクは各メールにあります。',
  Confirm: '確認する',
  'You are subscribed': '登録が完了しました',
  'Updates of the status page are sent to {address}.': 'ステータスページの更新情報を {address} にお送りします。',
  'You are unsubscribed': '配信を停止しました',
  'No more updates of the status page are sent to this address.':
    'このアドレスには、ステータスページの更新情報をお送りしません。',
  Unsubscribe: '配信を停止する',
  'Stop all updates of the status page to {address}?': '{address} へのステータスページの更新情報の配信を停止しますか？',

  // Mails
  'Confirm updates of a status page': 'ステータスページの更新情報の登録確認',
  'Someone asked to have updates of the status page {page} sent to this address. If that is you, confirm it within {days, plural, one {# day} other {# days}}. If not, ignore this message: nothing more will come.':
    'ステータスページ {page} の更新情報をこのアドレスに送る申し込みがありました。ご本人の場合は、{days, plural, other {#日}}以内に登録を確定してください。お心当たりがない場合は、このメールを無視してください。今後メールが届くことはありません。',
  '{title}: {news}': '{title}：{news}',
  'Open {title}': '{title}を開く',
  'No longer want these updates?': '更新情報が不要な場合：',
  'A system': 'システム',
  Since: '発生日時',
  '{name} does not work as it should.': '{name}が正常に動作していません。',
  '{name} works again.': '{name}が復旧しました。',
  '{name} works again': '{name}が復旧しました',
  'time\u0004From': '開始',
  'time\u0004To': '終了',
  'It lasted': '継続時間',
  Posted: '投稿日時',
  Announcement: 'お知らせ',
  About: '対象',

  // Feeds and badges
  'Updates of {title}': '{title}の更新情報',
  'Since {start}.': '{start}から。',
  'From {start} to {end}, {lasted}.': '{start}～{end}（{lasted}）。',
  'From {start} to {end}: {names}.': '{start}～{end}：{names}。',
  '{sentence} From {start} to {end}.': '{sentence}{start}～{end}。',
  'No data': 'データなし',
  '{latencyMs} ms': '{latencyMs} ms',
  '{name} uptime, watched for {span}': '{name} 稼働率（監視期間：{span}）',
  '{name} uptime today': '{name} 稼働率（今日）',
  '{name} uptime {days} d': '{name} 稼働率（{days}日間）',
  '{name} response, watched for {span}': '{name} 応答時間（監視期間：{span}）',
  '{name} response today': '{name} 応答時間（今日）',
  '{name} response {days} d': '{name} 応答時間（{days}日間）',

  // Dates, times and numbers
  '{day} {month} {year}': '{year}年{month}月{day}日',
  '{day} {month}': '{month}月{day}日',
  '{month} {year}': '{year}年{month}月',
  '{date}, {time} {zone}': '{date} {time} {zone}',
  '{from} to {until}': '{from}～{until}',
  '{first} to {last} {month}': '{month}月{first}日～{last}日',
  '{first} to {last} {month} {year}': '{year}年{month}月{first}日～{last}日',
  '{percent} %': '{percent}%',
  'less than a minute': '1分未満',
  '{minutes} min': '{minutes}分',
  '{hours} h': '{hours}時間',
  '{hours} h {minutes} min': '{hours}時間{minutes}分',
  '{days} d': '{days}日',
  '{days} d {hours} h': '{days}日{hours}時間',
}
