/** The kind of a source of visits. */
export type SourceKind = 'search' | 'social' | 'video' | 'email'

/**
 * Hosts by kind; a host stands for everything below it, and `name.*` for the name under every top-level domain. The
 * longest match wins, so `mail.google.*` is not the search engine.
 */
export const SOURCE_HOSTS: Readonly<Record<SourceKind, string>> = {
  search: `
    google.* bing.com yahoo.* yandex.* duckduckgo.com baidu.com ecosia.org qwant.com startpage.com search.brave.com
    ya.ru go.mail.ru nova.rambler.ru rambler.ru naver.com daum.net search.zum.com seznam.cz sogou.com so.com sm.cn
    haosou.com coccoc.com petalsearch.com ask.com aol.com dogpile.com webcrawler.com excite.com lycos.com
    metacrawler.com mojeek.com swisscows.com kagi.com presearch.com presearch.org metager.org metager.de lilo.org
    gibiru.com mysearch.com search-results.com searchencrypt.com search.ch goo.ne.jp search.goo.ne.jp
    search.biglobe.ne.jp search.smt.docomo.ne.jp sapo.pt szukaj.onet.pl szukaj.wp.pl search.virgilio.it
    suche.t-online.de suche.web.de suche.gmx.net search.avg.com search.lycos.com karmasearch.org
    com.google.android.googlequicksearchbox com.microsoft.bing com.duckduckgo.mobile.android
  `,
  social: `
    facebook.com fb.com fb.me instagram.com threads.net threads.com messenger.com m.me whatsapp.com wa.me
    twitter.com x.com t.co linkedin.com lnkd.in pinterest.* pin.it reddit.com redd.it tumblr.com snapchat.com tiktok.com
    vk.com vkontakte.ru ok.ru odnoklassniki.ru weibo.com weibo.cn weixin.qq.com wechat.com qzone.qq.com douban.com
    douyin.com xiaohongshu.com zhihu.com tieba.baidu.com renren.com kakao.com band.us line.me mixi.jp ameblo.jp
    b.hatena.ne.jp quora.com stackoverflow.com stackexchange.com news.ycombinator.com lobste.rs producthunt.com
    slashdot.org digg.com discord.com discord.gg telegram.org telegram.me t.me viber.com mastodon.social
    mastodon.online fosstodon.org hachyderm.io bsky.app lemmy.world nextdoor.com xing.com meetup.com flickr.com
    deviantart.com livejournal.com plurk.com disqus.com goodreads.com gab.com truthsocial.com taringa.net skyrock.com
    viadeo.com plus.google.com com.facebook.katana com.instagram.android com.twitter.android com.linkedin.android
    com.pinterest com.reddit.frontpage com.zhiliaoapp.musically com.snapchat.android org.telegram.messenger
    com.whatsapp com.slack com.vkontakte.android
  `,
  video: `
    youtube.com youtu.be youtube-nocookie.com vimeo.com dailymotion.com dai.ly twitch.tv bilibili.com b23.tv youku.com
    tudou.com iqiyi.com v.qq.com ixigua.com nicovideo.jp nico.ms rutube.ru rumble.com odysee.com bitchute.com kick.com
    netflix.com hulu.com disneyplus.com primevideo.com crunchyroll.com crackle.com wistia.com wistia.net ted.com
    video.yahoo.com com.google.android.youtube tv.twitch.android.app
  `,
  email: `
    mail.google.* inbox.google.com mail.yahoo.* mail.yandex.* mail.ru e.mail.ru outlook.live.com outlook.office.com
    outlook.office365.com outlook.com hotmail.com mail.live.com mail.aol.com mail.qq.com mail.163.com mail.126.com
    mail.naver.com mail.daum.net email.seznam.cz mail.proton.me mail.protonmail.com mail.zoho.com app.fastmail.com
    mail.superhuman.com app.hey.com deref-gmx.net deref-gmx.com deref-web.de navigator-bs.gmx.net navigator-lxa.web.de
    com.google.android.gm com.microsoft.office.outlook com.yahoo.mobile.client.android.mail ch.protonmail.android
  `,
}

/** Hosts that lie below one of the above but are something else: applications, and pages where people sign in. */
export const OTHER_HOSTS = `
  accounts.google.* myaccount.google.com admin.google.com calendar.google.com chat.google.com classroom.google.com
  cloud.google.com contacts.google.com docs.google.com drive.google.com gemini.google.com keep.google.com
  meet.google.com notebooklm.google.com play.google.com sites.google.com support.google.com tagassistant.google.com
  translate.google.* analytics.google.com looker.google.com lookerstudio.google.com colab.research.google.com
  ads.google.com copilot.bing.com login.yahoo.* blog.naver.com cafe.naver.com pan.baidu.com cloud.yandex.*
  disk.yandex.* tv.line.me
`

/** Names that campaigns use for a source besides the first part of a host above: `google`, `facebook` and so on. */
export const SOURCE_NAMES: Readonly<Record<SourceKind, string>> = {
  search:
    'brave adwords googleads google-ads google_ads bingads bing-ads bing_ads microsoft-ads microsoftads ddg',
  social: `
    fb ig meta facebook-ads facebook_ads fb_ads fb-ads facebookads instagram-ads instagram_ads linkedin-ads linkedin_ads
    linkedinads twitter-ads tiktok-ads tiktok_ads reddit-ads pinterest-ads snapchat-ads hackernews hacker-news hn bluesky
    mastodon telegram x
  `,
  video: 'yt youtube-ads youtube_ads',
  email: 'email e-mail e_mail mail newsletter mailchimp klaviyo sendgrid hubspot_email gmail outlook',
}

/**
 * Parameters that advertising networks add to the URL of an ad, with the kind of the network; used when the campaign
 * has no medium. `fbclid` is missing because Facebook also adds it to unpaid links.
 */
export const CLICK_IDS: Readonly<Record<string, SourceKind | 'display'>> = {
  gclid: 'search',
  gbraid: 'search',
  wbraid: 'search',
  msclkid: 'search',
  yclid: 'search',
  dclid: 'display',
  ttclid: 'social',
  twclid: 'social',
  li_fat_id: 'social',
  rdt_cid: 'social',
  ScCid: 'social',
}
