// Which name of the table stands for which platform.
import {platforms, terms} from '../words';

const names: Record<string, string> = {
  all: terms.all,
  microblog: platforms.microblog,
  'web-serp': platforms.web,
  scrape: terms.pages,
  forum: platforms.forum,
  shortvideo: platforms.shortvideo,
  news: platforms.news,
  account: terms.account,
};

export function platformName(platform: string): string {
  return names[platform] ?? platform;
}
