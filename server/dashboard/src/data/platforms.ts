// What people call the platforms.

const names: Record<string, string> = {
  all: 'All',
  microblog: 'Microblogs',
  'web-serp': 'Web',
  scrape: 'Pages',
  forum: 'Forums',
  shortvideo: 'Short videos',
  news: 'News',
  account: 'Account',
};

export function platformName(platform: string): string {
  return names[platform] ?? platform;
}
