document.title = 'viva'
