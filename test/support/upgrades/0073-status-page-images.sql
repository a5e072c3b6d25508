insert into status_page_images (page_id, kind, media_type, width, height, alt, hash, picture) values
  (@page@, 'logo', 'image/png', 16, 16, 'Acme', 'hash', 'picture');
