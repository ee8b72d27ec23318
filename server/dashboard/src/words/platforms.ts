// What people call the platforms.

export const microblog = 'Microblogs';
export const web = 'Web';
export const forum = 'Forums';
export const shortvideo = 'Short videos';
export const news = 'News';
